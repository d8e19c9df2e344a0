const ZERO = 0x30;
const POINT = 0x2e;
const MINUS = 0x2d;
const PLUS = 0x2b;
/** Integers of this many digits, and the sum of two of them, are exact in float64. */
const EXACT_DIGITS = 15;
/** Maximum number of significant digits: one float64 number holds the first 15, and another the remaining 7. */
const MAX_DIGITS = 22;
/** Powers of ten that float64 holds exactly. */
const POWERS: Float64Array = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/** The last number read. */
export const found = { value: 0 };

/** Reads an optional sign and up to 15 digits into {@link found}. Returns false for any other text. */
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

const bits = new Float64Array(1);
const words = new Uint32Array(bits.buffer);
/** Bits of a float64 mantissa that float32 lacks, and their value at the midpoint between two float32 numbers. */
const LOST_BITS = 0x1fffffff;
const MIDPOINT = 0x10000000;
/** Upper bound on the rounding error, in units in the last place, with a safety margin. */
const DOUBT = 16;
const LEAST_NORMAL = 2 ** -126;

/**
 * Reads a decimal number (digits, with an optional sign, point and exponent) into {@link found}. Returns false for any other
 * text. The result and the float64 nearest to the decimal number round to the same float32.
 *
 * Up to 15 digits, with exponents up to 22, take a single correctly rounded float64 operation (Clinger, "How to Read Floating
 * Point Numbers Accurately", 1990). Up to 22 digits take a few operations, whose error matters only near a midpoint between two
 * float32 numbers. There, the function returns false, as it does for more digits or larger exponents.
 */
export function readPlainFloat(text: Uint8Array, start: number, end: number): boolean {
  const sign = text[start];
  let at = sign === MINUS || sign === PLUS ? start + 1 : start;
  let mantissa = 0;
  let rest = 0;
  let numDigits = 0;
  let numSignificant = 0;
  let exponent = 0;
  let pointAt = -1;
  for (; at < end; at++) {
    const digit = (text[at] as number) - ZERO;
    if (digit >= 0 && digit <= 9) {
      numDigits++;
      if (numSignificant < EXACT_DIGITS) mantissa = mantissa * 10 + digit;
      else rest = rest * 10 + digit;
      if (numSignificant > 0 || digit > 0) numSignificant++;
    } else if (digit === POINT - ZERO && pointAt < 0) pointAt = at;
    else break;
  }
  if (numDigits === 0 || numSignificant > MAX_DIGITS) return false;
  if (pointAt >= 0) exponent = pointAt + 1 - at;
  if (at < end) {
    if (((text[at] as number) | 0x20) !== 0x65 || !readPlainInt(text, at + 1, end)) return false;
    exponent += found.value;
  }
  if (exponent < -22 || exponent > 22) return false;
  const numRest = numSignificant - EXACT_DIGITS;
  let value = numRest > 0 ? mantissa * (POWERS[numRest] as number) + rest : mantissa;
  if (exponent < 0) value /= POWERS[-exponent] as number;
  else value *= POWERS[exponent] as number;
  if (numRest > 0) {
    bits[0] = value;
    const distance = ((words[0] as number) & LOST_BITS) - MIDPOINT;
    if (value < LEAST_NORMAL || (distance <= DOUBT && distance >= -DOUBT)) return false;
  }
  found.value = sign === MINUS ? -value : value;
  return true;
}
