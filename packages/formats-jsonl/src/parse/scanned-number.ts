/** A scanned number. Digits without a fraction or an exponent form an integer. */
export class ScannedNumber {
  isInteger = true;
  /** The nearest float64; an infinity if the number is beyond the range of float64. */
  value = 0;
  /** For an integer: true if `value` equals it exactly. */
  isExact = true;
  /**
   * For an integer: true if it fits int64. If so, `low` and `high` are congruent, modulo 2^32, to the lower and the upper half of
   * its two's complement.
   */
  fitsInt64 = true;
  low = 0;
  high = 0;

  setDouble(value: number): void {
    this.isInteger = false;
    this.value = value;
  }

  /** @param value an integer that float64 holds exactly. */
  setSmallInteger(value: number): void {
    this.isInteger = true;
    this.isExact = true;
    this.fitsInt64 = true;
    // The integer -0 is 0.
    this.value = value + 0;
    this.low = value | 0;
    this.high = Math.floor(value / 2 ** 32);
  }

  /** Sets the integer of up to 19 digits from `start` to `end`. */
  setLongInteger(bytes: Uint8Array, start: number, end: number, isNegative: boolean): void {
    let [low, high] = [0, 0];
    for (let at = start; at < end; at++) {
      const product = low * 10 + (bytes[at]! - ZERO);
      const carry = Math.floor(product / WORD);
      low = product - carry * WORD;
      high = high * 10 + carry;
    }
    const magnitude = high * WORD + low;
    const isLowest = isNegative && high === WORD / 2 && low === 0;
    this.isInteger = true;
    this.value = isNegative ? -magnitude : magnitude;
    this.isExact = Math.floor(magnitude / WORD) === high && magnitude % WORD === low;
    this.fitsInt64 = high < WORD / 2 || isLowest;
    this.low = isNegative ? -low : low;
    this.high = isNegative ? -high - (low > 0 ? 1 : 0) : high;
  }

  /** Sets an integer beyond int64. */
  setHugeInteger(digits: string, isNegative: boolean): void {
    const magnitude = Number(digits);
    this.isInteger = true;
    this.value = isNegative ? -magnitude : magnitude;
    this.fitsInt64 = false;
    // Integers of more than 309 digits are beyond float64, and parsing them as bigints would take quadratic time.
    this.isExact =
      digits.length <= MAX_FLOAT64_DIGITS &&
      Number.isFinite(magnitude) &&
      BigInt(magnitude) === BigInt(digits);
  }
}

const WORD: number = 2 ** 32;
const ZERO = 0x30;
/** Digits of the largest float64. */
const MAX_FLOAT64_DIGITS = 309;
