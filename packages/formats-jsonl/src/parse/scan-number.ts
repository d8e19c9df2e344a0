import type { JsonCursor } from "./json-cursor.js";
import { EXACT_POWERS, longDecimal } from "./long-decimal.js";

const ZERO = 0x30;
const MINUS = 0x2d;
const PLUS = 0x2b;
const DOT = 0x2e;
const LOWER_E = 0x65;
const UPPER_E = 0x45;

/** Integers of up to 15 digits are exact in float64. */
const SAFE_DIGITS = 15;
/** Maximum number of characters of a number in an error message. */
const MAX_SHOWN = 40;
/** Digits of the largest int64. */
const INT64_DIGITS = 19;
const NON_FINITE: readonly (readonly [text: string, value: number])[] = [
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["-Infinity", Number.NEGATIVE_INFINITY],
];

/**
 * Reads a number into `cursor.number`, and moves past it. For a decimal with few digits, one multiplication or division of two
 * exact float64 values is rounded once, so the result is the nearest float64 (Clinger 1990, fast path). {@link longDecimal}
 * converts longer decimals, and `Number` all others.
 * @returns false if the policy on non-finite numbers makes the number null.
 * @throws {RecordError} `malformed-payload`: `json-syntax`, `non-finite`, `number-range`.
 */
export function scanNumber(cursor: JsonCursor): boolean {
  const { bytes, end, number } = cursor;
  const start = cursor.at;
  const isNegative = bytes[start] === MINUS;
  const first = isNegative ? start + 1 : start;
  let at = first;
  let mantissa = 0;
  let digit = 0;
  while (at < end && (digit = bytes[at]! - ZERO) >= 0 && digit <= 9) {
    mantissa = mantissa * 10 + digit;
    at++;
  }
  const numDigits = at - first;
  if (numDigits === 0) return scanNonFinite(cursor, first);
  if (numDigits > 1 && bytes[first] === ZERO) {
    throw cursor.malformed("no digit after the leading zero of a number", "json-syntax", first + 1);
  }
  let next = at < end ? bytes[at]! : 0;
  if (next !== DOT && next !== LOWER_E && next !== UPPER_E) {
    cursor.at = at;
    if (numDigits <= SAFE_DIGITS) number.setSmallInteger(isNegative ? -mantissa : mantissa);
    else if (numDigits <= INT64_DIGITS) number.setLongInteger(bytes, first, at, isNegative);
    else number.setHugeInteger(textOf(bytes, first, at), isNegative);
    return true;
  }
  let exponent = 0;
  let endOfDigits = at;
  if (next === DOT) {
    const fraction = ++at;
    while (at < end && (digit = bytes[at]! - ZERO) >= 0 && digit <= 9) {
      mantissa = mantissa * 10 + digit;
      at++;
    }
    if (at === fraction) throw cursor.malformed("a digit after the decimal point", "json-syntax", at);
    exponent = fraction - at;
    endOfDigits = at;
    next = at < end ? bytes[at]! : 0;
  }
  if (next === LOWER_E || next === UPPER_E) {
    const sign = at + 1 < end ? bytes[at + 1]! : 0;
    const isSigned = sign === MINUS || sign === PLUS;
    at += isSigned ? 2 : 1;
    const firstOfExponent = at;
    let power = 0;
    while (at < end && (digit = bytes[at]! - ZERO) >= 0 && digit <= 9) {
      power = power * 10 + digit;
      at++;
    }
    if (at === firstOfExponent) throw cursor.malformed("a digit of the exponent", "json-syntax", at);
    exponent += sign === MINUS ? -power : power;
  }
  cursor.at = at;
  // Rounding never turns an integer beyond 2^53 into one below 2^53.
  if (mantissa < Number.MAX_SAFE_INTEGER && exponent >= -22 && exponent <= 22) {
    const power = EXACT_POWERS[exponent < 0 ? -exponent : exponent]!;
    const value = exponent < 0 ? mantissa / power : mantissa * power;
    number.setDouble(isNegative ? -value : value);
    return true;
  }
  const long = longDecimal(bytes, first, endOfDigits, exponent);
  if (long !== undefined) {
    number.setDouble(isNegative ? -long : long);
    return true;
  }
  number.setDouble(Number(textOf(bytes, start, at)));
  return Number.isFinite(number.value) || acceptsNonFinite(cursor, start, BEYOND_FLOAT64);
}

/** Scans `NaN`, `Infinity` or `-Infinity`. Anything else is an error. */
function scanNonFinite(cursor: JsonCursor, first: number): boolean {
  const start = cursor.at;
  const found = NON_FINITE.find(([text]) => startsWith(cursor, text));
  if (found === undefined)
    throw cursor.malformed(first > start ? "a digit" : "a value", "json-syntax", first);
  const [text, value] = found;
  cursor.at += text.length;
  cursor.number.setDouble(value);
  return acceptsNonFinite(cursor, start, NOT_JSON);
}

/** The reason why the policy on non-finite numbers applies to a number. */
interface NonFinite {
  readonly reason: "non-finite" | "number-range";
  /** Completes "a number that …" in the error message. */
  readonly holder: string;
}

const NOT_JSON: NonFinite = { reason: "non-finite", holder: "JSON can represent" };
const BEYOND_FLOAT64: NonFinite = { reason: "number-range", holder: "float64 can hold" };
export const BEYOND_FLOAT32: NonFinite = { reason: "number-range", holder: "float32 can hold" };

/**
 * Applies the policy on non-finite numbers to the number from `start` to `cursor.at`. @returns true to keep it, false to read
 * null.
 * @throws {RecordError} `malformed-payload`: `non-finite`, `number-range`.
 */
export function acceptsNonFinite(cursor: JsonCursor, start: number, { reason, holder }: NonFinite): boolean {
  const { nonFinite } = cursor.rules;
  if (nonFinite !== "error") return nonFinite === "accept";
  const expected = `a number that ${holder} (to allow other numbers, set nonFinite to "accept" or "null")`;
  const text = textOf(cursor.bytes, start, cursor.at);
  const found = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
  throw cursor.malformed(expected, reason, start, found);
}

/**
 * Applies the policy on non-finite numbers to the scanned number before it is stored as a float. {@link scanNumber} has already
 * applied it to numbers other than integers. @returns true to keep the number, false to read null.
 * @throws {RecordError} `malformed-payload` (`number-range`).
 */
export function acceptsAsFloat(cursor: JsonCursor, start: number): boolean {
  const { isInteger, value } = cursor.number;
  return !isInteger || Number.isFinite(value) || acceptsNonFinite(cursor, start, BEYOND_FLOAT64);
}

/** Returns true if the record continues with this ASCII text. */
export function startsWith({ bytes, at, end }: JsonCursor, text: string): boolean {
  if (at + text.length > end) return false;
  for (let index = 0; index < text.length; index++) {
    if (bytes[at + index] !== text.charCodeAt(index)) return false;
  }
  return true;
}

const ascii = new TextDecoder("latin1");
/** Up to this length, `fromCharCode` is faster than calling the decoder. */
const SHORT = 40;

function textOf(bytes: Uint8Array, start: number, end: number): string {
  const part = bytes.subarray(start, end);
  return part.length <= SHORT ? String.fromCharCode(...part) : ascii.decode(part);
}
