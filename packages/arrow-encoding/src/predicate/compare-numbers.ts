import type { CompareOperator } from "@tfxio/schema";
import type { Truth } from "./truth.js";

/** Numbers that float64 represents exactly: floats, and integers of up to 32 bits. */
export type DoubleArray =
  | Int8Array
  | Int16Array
  | Int32Array
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | Float32Array
  | Float64Array;

/** Compares each value with a number. If either side is NaN, all operators except `!=` return false. */
export function compareNumbers(values: DoubleArray, op: CompareOperator, value: number | bigint): Truth {
  const bound = typeof value === "bigint" ? boundOf(op, value) : { op, value };
  return compareDoubles(values, bound.op, bound.value);
}

/** Tests each value: true if it equals a number in `set`. NaN equals nothing. */
export function includesNumbers(values: DoubleArray, set: readonly (number | bigint)[]): Truth {
  const numbers = new Set(set.filter(isDouble).map(Number));
  const truth = new Uint8Array(values.length);
  for (let i = 0; i < truth.length; i++) if (numbers.has(values[i] as number)) truth[i] = 1;
  return truth;
}

/**
 * Returns an equivalent comparison with a float64, for a bigint that may lie between two float64 values or beyond all of them.
 */
function boundOf(op: CompareOperator, value: bigint): { op: CompareOperator; value: number } {
  const nearest = Number(value);
  if (isDouble(value)) return { op, value: nearest };
  if (op === "==" || op === "!=") return { op, value: Number.NaN };
  const isBelow = op === "<" || op === "<=";
  // No float64 lies between `value` and `nearest`, so `nearest` can replace `value`. The operator must then exclude or include
  // `nearest` itself, depending on which of the two is larger.
  if (nearest > value) return { op: isBelow ? "<" : ">=", value: nearest };
  return { op: isBelow ? "<=" : ">", value: nearest };
}

/** Returns whether a float64 can equal `value`. */
function isDouble(value: number | bigint): boolean {
  if (typeof value === "number") return !Number.isNaN(value);
  const nearest = Number(value);
  return Number.isFinite(nearest) && BigInt(nearest) === value;
}

function compareDoubles(values: DoubleArray, op: CompareOperator, value: number): Truth {
  const truth = new Uint8Array(values.length);
  const { length } = truth;
  switch (op) {
    case "==":
      for (let i = 0; i < length; i++) if ((values[i] as number) === value) truth[i] = 1;
      break;
    case "!=":
      for (let i = 0; i < length; i++) if ((values[i] as number) !== value) truth[i] = 1;
      break;
    case "<":
      for (let i = 0; i < length; i++) if ((values[i] as number) < value) truth[i] = 1;
      break;
    case "<=":
      for (let i = 0; i < length; i++) if ((values[i] as number) <= value) truth[i] = 1;
      break;
    case ">":
      for (let i = 0; i < length; i++) if ((values[i] as number) > value) truth[i] = 1;
      break;
    default:
      for (let i = 0; i < length; i++) if ((values[i] as number) >= value) truth[i] = 1;
  }
  return truth;
}
