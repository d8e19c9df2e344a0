import { FeatureKind } from "@tfxio/wire/kernels";
import { Binary, Float32, Field, Int64, LargeBinary, LargeList, List, Null } from "apache-arrow";

/** Width of the offsets in decoded list columns: `"list"` int32, `"large"` int64 as tfx_bsl has them. */
export type ExampleListType = "list" | "large";

/** Types of the values in a decoded column. */
export type ExampleValueType = Float32 | Int64 | Binary | LargeBinary;

/** Types of a decoded column; Null where a name occurred without any kind. */
export type ExampleColumnType = List<ExampleValueType> | LargeList<ExampleValueType> | Null;

/** Types of a decoded feature list: lists of steps. */
export type FeatureListType = List<ExampleColumnType> | LargeList<ExampleColumnType>;

/**
 * The column of a feature of this kind. Columns and their elements are declared nullable, as tfx_bsl declares them,
 * though elements never are null.
 */
export function exampleField(
  name: string,
  kind: FeatureKind,
  listType: ExampleListType,
): Field<ExampleColumnType> {
  return new Field<ExampleColumnType>(name, columnType(kind, listType), true);
}

/** The field of a feature list whose steps are of this kind. */
export function featureListField(
  name: string,
  kind: FeatureKind,
  listType: ExampleListType,
): Field<FeatureListType> {
  const step = exampleField("item", kind, listType);
  return new Field<FeatureListType>(name, listType === "large" ? new LargeList(step) : new List(step), true);
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
