import { FeatureKind } from "@tfxio/wire/kernels";
import {
  Binary,
  type DataType,
  Float32,
  Field,
  Int64,
  LargeBinary,
  LargeList,
  List,
  Null,
} from "apache-arrow";

/** Offset width of decoded list columns: int32 for `"list"`, int64 for `"large"`, as in tfx_bsl. */
export type ExampleListType = "list" | "large";

/** Type of the values in a decoded column. LargeBinary only with list type `"large"`. */
export type ExampleValueType = Float32 | Int64 | Binary | LargeBinary;

/** Type of a decoded column. Null if no feature of that name had a kind. */
export type ExampleColumnType = List<ExampleValueType> | LargeList<ExampleValueType> | Null;

/** Type of a decoded feature list: a list of steps, each of which is a list of values. */
export type FeatureListType = List<ExampleColumnType> | LargeList<ExampleColumnType>;

/** Name and kind of a feature or feature list, as kernels report them. */
interface NamedKind {
  readonly name: string;
  readonly kind: FeatureKind;
}

/**
 * Returns the Arrow fields of `features`. Columns and elements are declared nullable, as in tfx_bsl, although elements are never
 * null. Columns of one kind share a type object, so that thousands of columns take little memory.
 */
export function exampleFields(
  features: readonly NamedKind[],
  listType: ExampleListType,
): Field<ExampleColumnType>[] {
  return fieldsOf(features, (kind) => columnType(kind, listType));
}

/** Returns the Arrow fields of feature lists. `kind` is the kind of a list's steps. */
export function featureListFields(
  lists: readonly NamedKind[],
  listType: ExampleListType,
): Field<FeatureListType>[] {
  return fieldsOf(lists, (kind): FeatureListType => {
    const step = new Field<ExampleColumnType>("item", columnType(kind, listType), true);
    return listType === "large" ? new LargeList(step) : new List(step);
  });
}

/** Creates fields that share one type object for each kind. */
function fieldsOf<Type extends DataType>(
  features: readonly NamedKind[],
  typeOf: (kind: FeatureKind) => Type,
): Field<Type>[] {
  const types = new Map<FeatureKind, Type>();
  return features.map(({ name, kind }) => {
    let type = types.get(kind);
    if (type === undefined) types.set(kind, (type = typeOf(kind)));
    return new Field(name, type, true);
  });
}

function columnType(kind: FeatureKind, listType: ExampleListType): ExampleColumnType {
  if (kind === FeatureKind.unset) return new Null();
  const item = new Field<ExampleValueType>("item", valueType(kind, listType), true);
  return listType === "large" ? new LargeList(item) : new List(item);
}

function valueType(kind: Exclude<FeatureKind, 0>, listType: ExampleListType): ExampleValueType {
  if (kind === FeatureKind.float) return new Float32();
  if (kind === FeatureKind.int64) return new Int64();
  return listType === "large" ? new LargeBinary() : new Binary();
}
