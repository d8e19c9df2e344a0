const ZERO = 0x30;
const POINT = 0x2e;
const MINUS = 0x2d;
const PLUS = 0x2b;
/** Integers of so many digits, and their sums, are exact in float64. */
const EXACT_DIGITS = 15;
/** Longer cells would not fit the arguments of a call. */
const MAX_ARGUMENTS = 1024;
/** Powers of ten that float64 holds exactly. */
const POWERS: Float64Array = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/** The number that was read last. */
export const found = { value: 0 };

/** Reads an optional sign and up to 15 digits. False for anything else. */
export function readPlainInt(text: Uint8Array, start: number, end: number): boolean {
  const sign = text[start];
  let at = sign === MINUS || sign === PLUS ? start + 1 : start;
  if (at === end || end - at > EXACT_DIGITS) return false;
  let value = 0;
  for (; at < end; at++) {
    const digit = (text[at] as number) - ZERO;
    if (digit < 0 || digit > 9) return false;
    value = value * 10 + digit;
  }
  found.value = sign === MINUS ? -value : value;
  return true;
}

/**
 * Reads a decimal number: digits with an optional point among or beside them, and an optional exponent. False for anything
 * else. Up to 15 digits and exponents up to 22 take one operation that float64 rounds correctly (Clinger, "How to Read
 * Floating Point Numbers Accurately", 1990); others are left to JavaScript.
 */
export function readPlainFloat(text: Uint8Array, start: number, end: number): boolean {
  const sign = text[start];
  let at = sign === MINUS || sign === PLUS ? start + 1 : start;
  let [mantissa, numDigits, exponent, hasPoint] = [0, 0, 0, false];
  for (; at < end; at++) {
    const byte = text[at] as number;
    const digit = byte - ZERO;
    if (digit >= 0 && digit <= 9) {
      mantissa = mantissa * 10 + digit;
      numDigits++;
      if (hasPoint) exponent--;
    } else if (byte === POINT && !hasPoint) hasPoint = true;
    else break;
  }
  if (numDigits === 0) return false;
  if (at < end) {
    const written = writtenExponent(text, at, end);
    if (written === undefined) return false;
    exponent += written;
  }
  if (numDigits > EXACT_DIGITS || exponent < -22 || exponent > 22) {
    if (end - start > MAX_ARGUMENTS) return false;
    found.value = Number(String.fromCharCode(...text.subarray(start, end)));
    return true;
  }
  const value =
    exponent < 0 ? mantissa / (POWERS[-exponent] as number) : mantissa * (POWERS[exponent] as number);
  found.value = sign === MINUS ? -value : value;
  return true;
}

/** The exponent from its `e` on. */
function writtenExponent(text: Uint8Array, at: number, end: number): number | undefined {
  if (((text[at] as number) | 0x20) !== 0x65) return undefined;
  return readPlainInt(text, at + 1, end) ? found.value : undefined;
}
