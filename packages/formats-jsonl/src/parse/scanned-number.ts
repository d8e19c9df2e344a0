/** A number as JSON writes it. Without fraction and exponent it is an integer. */
export class ScannedNumber {
  isInteger = true;
  /** The nearest float64; of a number beyond it an infinity. */
  value = 0;
  /** For an integer: `value` is it. */
  isExact = true;
  /** For an integer: int64 can hold it, and its two's complement has these halves. */
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
    // Of an integer, minus zero is zero.
    this.value = value + 0;
    this.low = value | 0;
    this.high = Math.floor(value / 2 ** 32);
  }

  /** The integer of up to 19 digits from `start` to `end`. */
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

  /** The integer of these digits, more than int64 can hold. */
  setHugeInteger(digits: string, isNegative: boolean): void {
    const magnitude = Number(digits);
    this.isInteger = true;
    this.value = isNegative ? -magnitude : magnitude;
    this.fitsInt64 = false;
    // Longer ones are beyond float64; reading them as a bigint takes time in the square of their length.
    this.isExact =
      digits.length <= MAX_FLOAT64_DIGITS &&
      Number.isFinite(magnitude) &&
      BigInt(magnitude) === BigInt(digits);
  }
}

/** 2^32. */
const WORD: number = 2 ** 32;
const ZERO = 0x30;
/** Digits of the largest float64. */
const MAX_FLOAT64_DIGITS = 309;
