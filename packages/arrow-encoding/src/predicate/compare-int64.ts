import type { CompareOperator } from "@tfxio/schema";
import { FALSE, TRUE, type Truth } from "./truth.js";

/**
 * 64-bit integers. The functions of this file compare them in 32-bit halves, because a bigint per value takes several times as
 * long.
 */
export type Int64Array = BigInt64Array | BigUint64Array;

const SIGN_BIT = 0x80000000;

/**
 * Compares each integer exactly with a number of any size, which may be a fraction or an infinity. If `value` is NaN, all
 * operators except `!=` return false.
 */
export function compareInt64(values: Int64Array, op: CompareOperator, value: number | bigint): Truth {
  if (typeof value === "bigint") return compareIntegers(values, op, value);
  if (Number.isInteger(value)) return compareIntegers(values, op, BigInt(value));
  if (op === "==" || op === "!=") return everywhere(values, op === "!=" ? TRUE : FALSE);
  const isBelow = op === "<" || op === "<=";
  if (!Number.isFinite(value)) {
    return everywhere(values, value === (isBelow ? Infinity : -Infinity) ? TRUE : FALSE);
  }
  return compareIntegers(values, isBelow ? "<=" : ">", BigInt(Math.floor(value)));
}

/** Tests each value: true if it equals a number in `set`. */
export function includesInt64(values: Int64Array, set: readonly (number | bigint)[]): Truth {
  const highByLow = new Map<number, number[]>();
  for (const value of set) {
    if (typeof value === "number" && !Number.isInteger(value)) continue;
    const integer = BigInt(value);
    if (!isInRange(values, integer)) continue;
    const { high, low } = halvesOf(integer);
    highByLow.set(low, [...(highByLow.get(low) ?? []), high]);
  }
  const truth = new Uint8Array(values.length);
  const halves = asHalves(values);
  for (let i = 0; i < truth.length; i++) {
    const highs = highByLow.get((halves[2 * i] as number) >>> 0);
    if (highs !== undefined && highs.includes(halves[2 * i + 1] as number)) truth[i] = 1;
  }
  return truth;
}

/** The truth values for integers that satisfy a comparison, and for integers that do not. */
interface Outcomes {
  readonly met: number;
  readonly unmet: number;
}

const PLAIN: Outcomes = { met: TRUE, unmet: FALSE };
const NEGATED: Outcomes = { met: FALSE, unmet: TRUE };

/**
 * Reduces the operators to two loops, for `==` and `<`. For integers, `<=` is `<` with `value + 1`. The operators `!=`, `>=` and
 * `>` negate `==`, `<` and `<=`.
 */
function compareIntegers(values: Int64Array, op: CompareOperator, value: bigint): Truth {
  switch (op) {
    case "==":
      return equals(values, value, PLAIN);
    case "!=":
      return equals(values, value, NEGATED);
    case "<":
      return isLess(values, value, PLAIN);
    case ">=":
      return isLess(values, value, NEGATED);
    case "<=":
      return isLess(values, value + 1n, PLAIN);
    default:
      return isLess(values, value + 1n, NEGATED);
  }
}

function equals(values: Int64Array, value: bigint, { met, unmet }: Outcomes): Truth {
  const truth = everywhere(values, unmet);
  if (!isInRange(values, value)) return truth;
  const { high, low } = halvesOf(value);
  const halves = asHalves(values);
  for (let i = 0; i < truth.length; i++) {
    if (halves[2 * i + 1] === high && (halves[2 * i] as number) >>> 0 === low) truth[i] = met;
  }
  return truth;
}

function isLess(values: Int64Array, value: bigint, { met, unmet }: Outcomes): Truth {
  if (!isInRange(values, value)) return everywhere(values, value > 0n ? met : unmet);
  const truth = everywhere(values, unmet);
  // Flipping the sign bit lets unsigned high halves compare as signed integers.
  const turned = isSigned(values) ? 0 : SIGN_BIT;
  const { high, low } = halvesOf(value);
  const bound = high ^ turned;
  const halves = asHalves(values);
  for (let i = 0; i < truth.length; i++) {
    const upper = (halves[2 * i + 1] as number) ^ turned;
    if (upper < bound || (upper === bound && (halves[2 * i] as number) >>> 0 < low)) truth[i] = met;
  }
  return truth;
}

function everywhere(values: Int64Array, outcome: number): Truth {
  return new Uint8Array(values.length).fill(outcome);
}

function isSigned(values: Int64Array): boolean {
  return values[Symbol.toStringTag] === "BigInt64Array";
}

function isInRange(values: Int64Array, value: bigint): boolean {
  return value === (isSigned(values) ? BigInt.asIntN(64, value) : BigInt.asUintN(64, value));
}

/** Views 64-bit integers as pairs of a low and a high half. Arrow buffers and the supported platforms are little-endian. */
function asHalves({ buffer, byteOffset, length }: Int64Array): Int32Array {
  return new Int32Array(buffer, byteOffset, 2 * length);
}

function halvesOf(value: bigint): { high: number; low: number } {
  return { high: Number(BigInt.asIntN(32, value >> 32n)), low: Number(BigInt.asUintN(32, value)) };
}
