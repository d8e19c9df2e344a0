// Parses numbers in plain notation, and leaves all others to the host. Most plain numbers have an optional sign, then at most
// sixteen bytes: digits, and perhaps a point. Parsing these takes no branch that depends on their length.
import { digitLanes, isPoint, MAX_LANES, otherLanes, valueOfLanes, withoutLane } from "./digits";

const ZEROS: u64 = 0x3030303030303030;
const HIGH_NIBBLES: u64 = 0xf0f0f0f0f0f0f0f0;
const SIXES: u64 = 0x0606060606060606;
/** Largest power of ten that float64 holds exactly. */
const MAX_POWER: i32 = 22;
const POWERS: usize = memory.data<f64>([
  1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
  1e20, 1e21, 1e22,
]);
/** Longer numbers may not fit in 64 bits. */
const MAX_DIGITS: usize = 19;
const EXACT: u64 = 1 << 53;
const LEAST_NORMAL: f64 = 1.1754943508222875e-38;
/** Bits of a float64 mantissa that float32 lacks, and their value at the midpoint between two float32 numbers. */
const LOST_BITS: u64 = 0x1fffffff;
const MIDPOINT: i64 = 0x10000000;
/** Upper bound on the rounding error, in units in the last place, with a safety margin. */
const DOUBT: i64 = 16;

const MINUS: u32 = 0x2d;
const PLUS: u32 = 0x2b;

let intValue: i64 = 0;
let floatValue: f32 = 0;

/** Stores the integer of a cell. False, with nothing stored, if the host must parse the cell. */
// @ts-ignore: decorator
@inline
export function storeInt(target: usize, start: usize, end: usize): bool {
  const sign = <u32>load<u8>(start);
  const isNegative = sign == MINUS;
  const length = end - start - <usize>(isNegative || sign == PLUS);
  if (length - 1 >= MAX_LANES) {
    if (!readInt(start, end)) return false;
    store<i64>(target, intValue);
    return true;
  }
  const digits = digitLanes(end, length);
  if (otherLanes(digits) != 0) return false;
  const negated = -<i64>isNegative;
  store<i64>(target, (<i64>valueOfLanes(digits) ^ negated) - negated);
  return true;
}

/** Stores the float of a cell. False, with nothing stored, if the host must parse the cell. */
// @ts-ignore: decorator
@inline
export function storeFloat(target: usize, start: usize, end: usize): bool {
  const sign = <u32>load<u8>(start);
  const isNegative = sign == MINUS;
  const length = end - start - <usize>(isNegative || sign == PLUS);
  if (length - 1 < MAX_LANES) {
    let digits = digitLanes(end, length);
    let numDecimals: usize = 0;
    const others = otherLanes(digits);
    const hasPoint = others != 0 && length > 1 && isPoint(others, end);
    if (hasPoint) {
      const lane = <usize>ctz(others);
      digits = withoutLane(digits, lane);
      numDecimals = MAX_LANES - 1 - lane;
    }
    const mantissa = valueOfLanes(digits);
    if (mantissa <= EXACT && (others == 0 || hasPoint)) {
      const value = <f32>(<f64>mantissa / load<f64>(POWERS + (numDecimals << 3)));
      store<u32>(target, reinterpret<u32>(value) | ((<u32>isNegative) << 31));
      return true;
    }
  }
  if (!readFloat(start, end)) return false;
  store<f32>(target, floatValue);
  return true;
}

/** True if the eight bytes are digits. */
// @ts-ignore: decorator
@inline
function areDigits(bytes: u64): bool {
  return ((bytes & HIGH_NIBBLES) | (((bytes + SIXES) & HIGH_NIBBLES) >> 4)) == 0x3333333333333333;
}

/** The value of eight digits, the first in the lowest byte (Lemire, "Quickly parsing eight digits", 2018). */
// @ts-ignore: decorator
@inline
function valueOf(bytes: u64): u64 {
  const digits = bytes - ZEROS;
  const pairs = digits * 10 + (digits >> 8);
  const mask: u64 = 0x000000ff000000ff;
  return ((pairs & mask) * 0x000f424000000064 + ((pairs >> 16) & mask) * 0x0000271000000001) >> 32;
}

/** Loads one to eight bytes, padded to eight with leading "0" characters. */
// @ts-ignore: decorator
@inline
function padded(p: usize, length: usize): u64 {
  const bytes = load<u64>(p);
  const shift = <u64>(8 - length) << 3;
  return (bytes << shift) | ((ZEROS >> 8) >> (56 - shift));
}

/** Reads an optional sign and up to 18 digits into `intValue`. False for any other text. */
function readInt(p: usize, end: usize): bool {
  const sign = load<u8>(p);
  if (sign == 0x2d || sign == 0x2b) p++;
  const length = end - p;
  if (length - 1 >= 18) return false;
  let value: u64 = 0;
  const head = ((length - 1) & 7) + 1;
  const first = padded(p, head);
  if (!areDigits(first)) return false;
  value = valueOf(first);
  for (p += head; p < end; p += 8) {
    const bytes = load<u64>(p);
    if (!areDigits(bytes)) return false;
    value = value * 100000000 + valueOf(bytes);
  }
  intValue = sign == 0x2d ? -(<i64>value) : <i64>value;
  return true;
}

/**
 * Reads a decimal number into `floatValue`, rounded to float64 and then to float32. If the mantissa exceeds 2^53 or the exponent
 * is beyond ±22, the computed float64 may be off by a few units in the last place. That matters only near a midpoint between two
 * float32 numbers. False if such a float64 is near a midpoint, or would be subnormal as float32. Also false for too many digits,
 * for too large an exponent, and for any other text.
 */
function readFloat(p: usize, end: usize): bool {
  const sign = load<u8>(p);
  if (sign == 0x2d || sign == 0x2b) p++;
  const digits = p;
  let mantissa: u64 = 0;
  while (p < end) {
    const digit = <u32>load<u8>(p) - 0x30;
    if (digit > 9) break;
    mantissa = mantissa * 10 + digit;
    p++;
  }
  let numDigits = p - digits;
  let numSignificant: usize = mantissa == 0 && numDigits <= MAX_DIGITS ? 0 : numDigits;
  let exponent: i32 = 0;
  if (p < end && load<u8>(p) == 0x2e) {
    const fraction = ++p;
    if (numSignificant == 0) while (p < end && load<u8>(p) == 0x30) p++;
    const significant = p;
    while (p + 8 <= end) {
      const bytes = load<u64>(p);
      if (!areDigits(bytes)) break;
      mantissa = mantissa * 100000000 + valueOf(bytes);
      p += 8;
    }
    while (p < end) {
      const digit = <u32>load<u8>(p) - 0x30;
      if (digit > 9) break;
      mantissa = mantissa * 10 + digit;
      p++;
    }
    numSignificant += p - significant;
    numDigits += p - fraction;
    exponent = -(<i32>(p - fraction));
  }
  if (numDigits == 0 || numSignificant > MAX_DIGITS) return false;
  if (p < end) {
    if ((load<u8>(p) | 0x20) != 0x65 || end - p > 6 || !readInt(p + 1, end)) return false;
    exponent += <i32>intValue;
  }
  const isNegative = sign == 0x2d;
  if (mantissa == 0) {
    floatValue = isNegative ? -0.0 : 0.0;
    return true;
  }
  const power = exponent < 0 ? -exponent : exponent;
  if (power > 2 * MAX_POWER) return false;
  let value = <f64>mantissa;
  const isExact = mantissa <= EXACT && power <= MAX_POWER;
  value = scaled(value, exponent < 0, power > MAX_POWER ? MAX_POWER : power);
  if (power > MAX_POWER) value = scaled(value, exponent < 0, power - MAX_POWER);
  if (!isExact) {
    if (value < LEAST_NORMAL) return false;
    const distance = <i64>(reinterpret<u64>(value) & LOST_BITS) - MIDPOINT;
    if (distance <= DOUBT && distance >= -DOUBT) return false;
  }
  floatValue = <f32>(isNegative ? -value : value);
  return true;
}

// @ts-ignore: decorator
@inline
function scaled(value: f64, isDivided: bool, power: i32): f64 {
  const factor = load<f64>(POWERS + ((<usize>power) << 3));
  return isDivided ? value / factor : value * factor;
}
