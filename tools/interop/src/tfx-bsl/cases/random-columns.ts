import type { Random } from "../../seeded.js";
import { chance, oneOf } from "./hostile-features.js";

/** A column of a vector's record batch. */
export interface Column {
  readonly name: string;
  readonly type: unknown;
  readonly values: readonly unknown[];
}

/** Values of columns as vectors write them. No -0, which JSON does not keep. */
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

/** A type of values that tensors can have. */
export type ValueType = keyof typeof samples;

/** A random type, most often one that tf.Examples have. */
export function valueType(below: Random): ValueType {
  const common = ["int64", "float32", "large_binary"] as const;
  return oneOf(below, chance(below, 70) ? common : (Object.keys(samples) as ValueType[]));
}

/** A value of a type. */
export function valueOf(below: Random, type: ValueType): unknown {
  return oneOf<unknown>(below, samples[type]);
}

/** `count` values of a type. */
export function valuesOf(below: Random, type: ValueType, count: number): unknown[] {
  return Array.from({ length: count }, () => valueOf(below, type));
}

/** A type of lists, of 32-bit or of 64-bit offsets, `depth` deep. */
export function listType(below: Random, inner: unknown, depth = 1): unknown {
  if (depth === 0) return inner;
  const item = listType(below, inner, depth - 1);
  return chance(below, 50) ? { large_list: item } : { list: item };
}

/** A row of lists, `depth` deep, with nulls. */
export function nestedRow(below: Random, type: ValueType, depth: number, nullPercent: number): unknown {
  if (depth === 0) return valueOf(below, type);
  if (chance(below, nullPercent)) return null;
  return Array.from({ length: below(4) }, () => nestedRow(below, type, depth - 1, nullPercent));
}

/** Columns, and the representation of a tensor that they make. */
export interface Made {
  readonly columns: readonly Column[];
  /** In text format. */
  readonly representation: string;
}

/** Makes columns of `numRows` rows. */
export type Maker = (below: Random, numRows: number) => Made;

/** An array of `numRows` rows. */
export function rowsOf<Row>(numRows: number, row: () => Row): Row[] {
  return Array.from({ length: numRows }, row);
}
