const ZERO = 0x30;
const DOT = 0x2e;
/** Integers of up to 15 digits are exact in float64. */
const LEADING_DIGITS = 15;
const MAX_DIGITS = 19;
/** Powers of ten that float64 holds exactly. */
export const EXACT_POWERS: readonly number[] = Array.from({ length: 23 }, (_, power) => Number(`1e${power}`));
/** Factor for splitting a float64 into two halves of 26 bits, whose products are exact (Dekker 1971). */
const SPLITTER: number = 2 ** 27 + 1;
/**
 * Margin of doubt in rounding, as a fraction of the correction that {@link longDecimal} adds to a float64 quotient. The rounding
 * can be in doubt only near the midpoint of two float64 values. At a midpoint, the correction is about 2^-53 of the quotient, and
 * the margin is about 2^-93 of the quotient. That is far above 2^-100, the relative error of the corrected quotient.
 */
const DOUBT: number = 2 ** -40;

/**
 * Returns the float64 nearest to an integer times `10 ** exponent`. The digits of the integer are the bytes from `start` to
 * `end`. A point among the digits is ignored. Returns undefined if the correct rounding is in doubt, if there are not 16 to 19
 * digits after leading zeros, or if `exponent` is not from -22 to 0. A sum of two float64 values holds the integer exactly. The
 * quotient of this sum and a power of ten has twice the precision of float64, and is then rounded once.
 * @see Dekker, "A floating-point technique for extending the available precision", 1971
 */
export function longDecimal(
  bytes: Uint8Array,
  start: number,
  end: number,
  exponent: number,
): number | undefined {
  if (exponent > 0 || exponent < -22) return undefined;
  let [numDigits, leading, rest] = [0, 0, 0];
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (byte === DOT || (byte === ZERO && numDigits === 0)) continue;
    if (numDigits++ < LEADING_DIGITS) leading = leading * 10 + (byte - ZERO);
    else rest = rest * 10 + (byte - ZERO);
  }
  if (numDigits <= LEADING_DIGITS || numDigits > MAX_DIGITS) return undefined;
  const scale = EXACT_POWERS[numDigits - LEADING_DIGITS]!;
  const product = leading * scale;
  const high = product + rest;
  const low = rest - (high - product) + productError(leading, scale, product);
  const power = EXACT_POWERS[-exponent]!;
  const quotient = high / power;
  const back = quotient * power;
  const correction = (high - back - productError(quotient, power, back) + low) / power;
  const rounded = quotient + correction * (1 + DOUBT);
  return rounded === quotient + correction * (1 - DOUBT) ? rounded : undefined;
}

/** Returns the rounding error of `product`: the exact product minus `product`. */
function productError(left: number, right: number, product: number): number {
  const leftHigh = headOf(left);
  const rightHigh = headOf(right);
  const leftLow = left - leftHigh;
  const rightLow = right - rightHigh;
  return leftHigh * rightHigh - product + leftHigh * rightLow + leftLow * rightHigh + leftLow * rightLow;
}

function headOf(value: number): number {
  const scaled = SPLITTER * value;
  return scaled - (scaled - value);
}
