import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  createMessage,
  FeatureSchema,
  FeatureType,
  type Schema,
  SchemaSchema,
  TimeDomain_IntegerTimeFormat as TimeFormat,
} from "@tfxio/schema";
import { DataType, type Field, type Schema as ArrowSchema } from "apache-arrow";
import { isListType } from "../column/list-column.js";
import { lastTimeOfDay } from "../text/temporal-value.js";
import { listColumnsSchema } from "./list-types.js";
import { mapAsListType } from "./map-as-list.js";
import { LOGICAL_KEY } from "./value-kind.js";

type FeatureInit = MessageInitShape<typeof FeatureSchema>;
type Domain = NonNullable<FeatureInit["domainInfo"]>;

/**
 * Converts an Arrow schema to a TFMD schema with one feature per column, in order. The Arrow schema may have the types of a file
 * or be in list form. TFMD types have no widths, so they never narrow values. Once a batch with the Arrow schema is converted to
 * list form, it matches the returned TFMD schema.
 *
 * - Integers, booleans, dates, times, timestamps and durations are INT. Booleans have a `bool_domain`. Dates and timestamps have
 *   a `time_domain`. Times of day have an `int_domain` from 0 to the last time of day in their unit. float16, float32 and float64
 *   are FLOAT. Text, bytes and decimals are BYTES.
 * - The `value_count` of a flat column has `min` and `max` 1. For a list, `min` is 0. For a fixed-size list, `min` and `max` are
 *   its size. Lists of lists have `value_counts`, outermost first. A field declared as not nullable has
 *   `presence.min_fraction` 1. If such a field is flat or holds fixed-size lists of flat values, it has a `shape` instead of
 *   `value_count`, and becomes a dense tensor.
 * - A struct becomes a STRUCT feature whose `struct_domain` lists the struct's fields. It has `value_count` or `value_counts` if
 *   it is in lists.
 * - A Null column has no type, so it gets no feature.
 * @throws {UnsupportedError} `unsupported` (`column-type`) for types that list columns cannot hold.
 */
export function schemaFromArrow(schema: ArrowSchema): Schema {
  const listed = listColumnsSchema(schema);
  return createMessage(SchemaSchema, { feature: featuresOf(schema.fields, listed.fields) });
}

function featuresOf(stored: readonly Field[], listed: readonly Field[]): FeatureInit[] {
  return stored
    .map((field, index) => featureOf(field, listed[index] as Field))
    .filter((feature) => feature !== undefined);
}

/** Describes one field. `stored` has the original type, and `listed` the type and metadata of the list form. */
function featureOf(stored: Field, listed: Field): FeatureInit | undefined {
  const { sizes, inner } = levelsOf(stored.type);
  const isStruct = DataType.isStruct(inner);
  const value = levelsOf(listed.type).inner;
  const type = isStruct ? FeatureType.STRUCT : featureType(value);
  if (type === undefined) return undefined;
  const counts = sizes.length === 0 && !isStruct ? [1] : sizes;
  return {
    name: stored.name,
    type,
    ...shapeOf(counts, { mayBeMissing: stored.nullable || isStruct }),
    ...(!stored.nullable && {
      presenceConstraints: { case: "presence" as const, value: { minFraction: 1, minCount: 1n } },
    }),
    domainInfo: isStruct
      ? {
          case: "structDomain",
          value: { feature: featuresOf(inner.children, (value as typeof inner).children) },
        }
      : domainOf(listed.metadata),
  };
}

/**
 * Returns the sizes of the list levels, outermost first, and the innermost type. A size is undefined unless the list has a
 * fixed size.
 */
function levelsOf(type: DataType): { sizes: readonly (number | undefined)[]; inner: DataType } {
  const list = DataType.isMap(type) ? mapAsListType(type) : type;
  if (!isListType(list)) return { sizes: [], inner: list };
  const { sizes, inner } = levelsOf(list.valueType as DataType);
  return { sizes: [DataType.isFixedSizeList(list) ? list.listSize : undefined, ...sizes], inner };
}

function shapeOf(
  sizes: readonly (number | undefined)[],
  { mayBeMissing }: { readonly mayBeMissing: boolean },
): Pick<FeatureInit, "shapeType"> {
  const counts = sizes.map((size) =>
    size === undefined ? { min: 0n } : { min: BigInt(size), max: BigInt(size) },
  );
  const [size] = sizes;
  const [count] = counts;
  if (count === undefined) return {};
  if (counts.length > 1) return { shapeType: { case: "valueCounts", value: { valueCount: counts } } };
  if (mayBeMissing || size === undefined) return { shapeType: { case: "valueCount", value: count } };
  return { shapeType: { case: "shape", value: { dim: [{ size: BigInt(size) }] } } };
}

function featureType(type: DataType): FeatureType | undefined {
  if (DataType.isNull(type)) return undefined;
  if (DataType.isFloat(type)) return FeatureType.FLOAT;
  return DataType.isInt(type) ? FeatureType.INT : FeatureType.BYTES;
}

const timeFormats: Readonly<Record<string, TimeFormat>> = {
  day: TimeFormat.UNIX_DAYS,
  second: TimeFormat.UNIX_SECONDS,
  millisecond: TimeFormat.UNIX_MILLISECONDS,
  microsecond: TimeFormat.UNIX_MICROSECONDS,
  nanosecond: TimeFormat.UNIX_NANOSECONDS,
};

/** For each unit, the number of decimal places that a time in that unit needs when it is written in seconds. */
const fractionDigitsOf: Readonly<Record<string, number>> = {
  second: 0,
  millisecond: 3,
  microsecond: 6,
  nanosecond: 9,
};

/** Returns the domain of a field. `metadata` is the field's metadata in list form. */
function domainOf(metadata: ReadonlyMap<string, string>): Domain {
  const logical = metadata.get(LOGICAL_KEY);
  if (logical === "bool") return { case: "boolDomain", value: {} };
  const unit = metadata.get("tfxio.unit") ?? "";
  const fractionDigits = fractionDigitsOf[unit];
  if (logical === "time" && fractionDigits !== undefined) {
    return { case: "intDomain", value: { min: 0n, max: lastTimeOfDay(fractionDigits) } };
  }
  const format = timeFormats[unit];
  if (format === undefined || (logical !== "date" && logical !== "timestamp")) return { case: undefined };
  return { case: "timeDomain", value: { format: { case: "integerFormat", value: format } } };
}
