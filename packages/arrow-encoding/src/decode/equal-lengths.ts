import type { Feature, Schema } from "@tfxio/schema";
import { DataType, Field, FixedSizeList, List, Schema as ArrowSchema, Struct } from "apache-arrow";

/** List lengths that a schema guarantees for each level, outermost first. Undefined for levels without a guarantee. */
type Lengths = readonly (number | undefined)[];

/**
 * Replaces List with FixedSizeList in `arrowSchema` wherever `schema` guarantees that all lists of a feature have the same
 * length, at least 1. The guarantee is a `shape` of known sizes, or a value count with equal `min` and `max`. The
 * `value_counts` of a feature list are steps per row, then values per step.
 * @see RFC 162, "Arrow encoding": FixedSizeListArray where the schema says that lists have equal length
 */
export function withEqualLengths(
  arrowSchema: ArrowSchema,
  schema: Schema,
  sequenceColumn?: string,
): ArrowSchema {
  const features = byName(schema.feature);
  const fields = arrowSchema.fields.map((field) => {
    const feature = features.get(field.name);
    if (feature === undefined) return field;
    if (field.name !== sequenceColumn) return fieldWithLengths(field, listLengths(feature));
    const { domainInfo } = feature;
    const lists = byName(domainInfo.case === "structDomain" ? domainInfo.value.feature : []);
    const children = (field.type as Struct).children.map((child) =>
      fieldWithLengths(child, listLengths(lists.get(child.name))),
    );
    return field.clone({ type: new Struct(children) });
  });
  return new ArrowSchema(fields, arrowSchema.metadata);
}

/** Returns the features by name. For a repeated name, the first feature is used, as in the decoder. */
function byName(features: readonly Feature[]): ReadonlyMap<string, Feature> {
  return new Map(features.toReversed().map((feature) => [feature.name, feature]));
}

/** Returns the list length that the schema guarantees at each level of a feature. */
function listLengths(feature: Feature | undefined): Lengths {
  const shape = feature?.shapeType;
  switch (shape?.case) {
    case "shape":
      return [lengthOf(shape.value.dim.reduce((product, { size }) => product * (size > 0n ? size : 0n), 1n))];
    case "valueCount":
      return [commonCount(shape.value)];
    case "valueCounts":
      return shape.value.valueCount.map(commonCount);
    default:
      return [];
  }
}

function commonCount({ min, max }: { readonly min: bigint; readonly max: bigint }): number | undefined {
  return min === max ? lengthOf(min) : undefined;
}

/** Returns `size` as a number if it is from 1 to 2^31 - 1, otherwise undefined. An unknown dimension makes `size` 0. */
function lengthOf(size: bigint): number | undefined {
  return size >= 1n && size < 2n ** 31n ? Number(size) : undefined;
}

function fieldWithLengths(field: Field, lengths: Lengths): Field {
  const type = typeWithLengths(field.type, lengths);
  return type === field.type ? field : field.clone({ type });
}

/** Replaces List with FixedSizeList at each level that has a length. Returns the same object if nothing changes. */
function typeWithLengths(type: DataType, [length, ...inner]: Lengths): DataType {
  if (!DataType.isList(type)) return type;
  const [item] = type.children as [Field];
  const value = fieldWithLengths(item, inner);
  if (length !== undefined) return new FixedSizeList(length, value);
  return value === item ? type : new List(value);
}
