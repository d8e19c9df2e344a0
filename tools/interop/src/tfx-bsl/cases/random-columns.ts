import type { Random } from "../../seeded.js";
import { chance, oneOf } from "./hostile-features.js";

/** A column of a test vector's record batch. */
export interface Column {
  readonly name: string;
  readonly type: unknown;
  readonly values: readonly unknown[];
}

/** Column values in the notation of test vectors. -0 is omitted because JSON.stringify writes it as 0. */
const samples = {
  int64: ["0", "-1", "7", "9223372036854775807", "-9223372036854775808"],
  int32: [0, -1, 7, 2_147_483_647, -2_147_483_648],
  int8: [0, -1, 127, -128],
  uint8: [0, 1, 255],
  uint64: ["0", "18446744073709551615"],
  float32: [0, 1.5, -2.25, "NaN", "Infinity", "-Infinity"],
  float64: [0, 0.1, -1e300, "NaN", "Infinity"],
  large_binary: [{ b64: "" }, { b64: "eA==" }, { b64: "/wA=" }],
  binary: [{ b64: "" }, { b64: "w6k=" }],
} as const;

/** An Arrow type of values that can become a tensor. */
export type ValueType = keyof typeof samples;

/** Returns a random value type, in most cases one that occurs in tf.Examples. */
export function valueType(below: Random): ValueType {
  const common = ["int64", "float32", "large_binary"] as const;
  return oneOf(below, chance(below, 70) ? common : (Object.keys(samples) as ValueType[]));
}

/** Returns a random value of a type. */
export function valueOf(below: Random, type: ValueType): unknown {
  return oneOf<unknown>(below, samples[type]);
}

/** Returns `count` random values of a type. */
export function valuesOf(below: Random, type: ValueType, count: number): unknown[] {
  return Array.from({ length: count }, () => valueOf(below, type));
}

/** Returns a list type that is `depth` levels deep. Each level has 32-bit or 64-bit offsets. */
export function listType(below: Random, inner: unknown, depth = 1): unknown {
  if (depth === 0) return inner;
  const item = listType(below, inner, depth - 1);
  return chance(below, 50) ? { large_list: item } : { list: item };
}

/** Returns a row of lists, `depth` levels deep. On average, `nullPercent` % of the lists are null. */
export function nestedRow(below: Random, type: ValueType, depth: number, nullPercent: number): unknown {
  if (depth === 0) return valueOf(below, type);
  if (chance(below, nullPercent)) return null;
  return Array.from({ length: below(4) }, () => nestedRow(below, type, depth - 1, nullPercent));
}

/** Columns, and the representation of their tensor. */
export interface Made {
  readonly columns: readonly Column[];
  /** The representation in text format. */
  readonly representation: string;
}

/** A function that creates columns of `numRows` rows. */
export type Maker = (below: Random, numRows: number) => Made;

/** Returns an array of `numRows` results of `row`. */
export function rowsOf<Row>(numRows: number, row: () => Row): Row[] {
  return Array.from({ length: numRows }, row);
}
