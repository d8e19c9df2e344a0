import type { Random } from "../../seeded.js";
import { chance, oneOf } from "./hostile-features.js";

/** A column of a vector's record batch. */
export interface Column {
  readonly name: string;
  readonly type: unknown;
  readonly values: readonly unknown[];
}

/** Column values as vectors write them. -0 is left out because JSON.stringify writes it as 0. */
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

/** A value type that a tensor can have. */
export type ValueType = keyof typeof samples;

/** A random value type, most often one that occurs in tf.Examples. */
export function valueType(below: Random): ValueType {
  const common = ["int64", "float32", "large_binary"] as const;
  return oneOf(below, chance(below, 70) ? common : (Object.keys(samples) as ValueType[]));
}

/** A random value of a type. */
export function valueOf(below: Random, type: ValueType): unknown {
  return oneOf<unknown>(below, samples[type]);
}

/** `count` random values of a type. */
export function valuesOf(below: Random, type: ValueType, count: number): unknown[] {
  return Array.from({ length: count }, () => valueOf(below, type));
}

/** A list type that is `depth` levels deep. Each level has 32-bit or 64-bit offsets. */
export function listType(below: Random, inner: unknown, depth = 1): unknown {
  if (depth === 0) return inner;
  const item = listType(below, inner, depth - 1);
  return chance(below, 50) ? { large_list: item } : { list: item };
}

/** A row of lists, `depth` levels deep. On average, `nullPercent` in a hundred lists are null. */
export function nestedRow(below: Random, type: ValueType, depth: number, nullPercent: number): unknown {
  if (depth === 0) return valueOf(below, type);
  if (chance(below, nullPercent)) return null;
  return Array.from({ length: below(4) }, () => nestedRow(below, type, depth - 1, nullPercent));
}

/** Columns, and the representation of a tensor made from them. */
export interface Made {
  readonly columns: readonly Column[];
  /** The representation in text format. */
  readonly representation: string;
}

/** Makes columns of `numRows` rows. */
export type Maker = (below: Random, numRows: number) => Made;

/** An array of `numRows` rows. */
export function rowsOf<Row>(numRows: number, row: () => Row): Row[] {
  return Array.from({ length: numRows }, row);
}
