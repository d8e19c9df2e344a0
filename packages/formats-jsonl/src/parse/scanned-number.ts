/** A number of a record, as far as its text says: an integer is one without fraction and exponent. */
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

  /** @param digits decimal digits. */
  setLongInteger(digits: string, isNegative: boolean): void {
    this.isInteger = true;
    this.value = isNegative ? -Number(digits) : Number(digits);
    this.isExact = false;
    this.fitsInt64 = false;
    // Longer ones are beyond float64; reading them as a bigint takes time in the square of their length.
    if (digits.length > MAX_FLOAT64_DIGITS) return;
    const integer = isNegative ? -BigInt(digits) : BigInt(digits);
    this.isExact = Number.isFinite(this.value) && BigInt(this.value) === integer;
    const wrapped = BigInt.asIntN(64, integer);
    this.fitsInt64 = wrapped === integer;
    this.low = Number(BigInt.asIntN(32, wrapped));
    this.high = Number(BigInt.asIntN(32, wrapped >> 32n));
  }
}

/** Digits of the largest float64. */
const MAX_FLOAT64_DIGITS = 309;
