import { shortFloat32 } from "@tfxio/arrow-encoding";
import type { TextBuffer } from "./text-buffer.js";

const POWERS = [1, 10, 100, 1e3, 1e4, 1e5, 1e6];
const MOST_PLACES = POWERS.length - 1;
/** Nonnegative integers below this limit fit in an int32. */
const INT32_END = 0x8000_0000;
/** Number of decimal digits that float32 always preserves (C's `FLT_DIG`). */
const FLOAT32_DIGITS = 6;

/** Appends an integer within int32. */
export function appendInt32(value: number, text: TextBuffer): void {
  if (value < 0) text.appendByte(MINUS);
  // The magnitude of the smallest int32 does not fit in an int32.
  if (value === -INT32_END) text.appendAscii("2147483648");
  else text.appendDigits(value < 0 ? -value : value, 1);
}

/**
 * Appends a float64 with the fewest digits that identify it. Whole numbers get a decimal point or an exponent, so that
 * they are not read as integers.
 */
export function appendFloat64(value: number, text: TextBuffer): void {
  const magnitude = Math.abs(value);
  const lastPlaces = magnitude < INT32_END ? MOST_PLACES : 0;
  for (let places = 1; places <= lastPlaces; places++) {
    const power = POWERS[places] as number;
    const scaled = Math.round(magnitude * power);
    // This division rounds as a parser would, and no other number with this many decimal places parses to the same value.
    if (scaled / power === magnitude) return appendDecimal(value, scaled, places, text);
  }
  text.appendAscii(floatText(value));
}

/** Appends a float32 with the fewest digits that identify it. */
export function appendFloat32(value: number, text: TextBuffer): void {
  const magnitude = Math.abs(value);
  const lastPlaces = magnitude < INT32_END ? MOST_PLACES : 0;
  for (let places = 1; places <= lastPlaces; places++) {
    const power = POWERS[places] as number;
    const scaled = Math.round(magnitude * power);
    if (scaled >= 10 ** FLOAT32_DIGITS) break;
    if (Math.fround(scaled / power) === magnitude) return appendDecimal(value, scaled, places, text);
  }
  text.appendAscii(floatText(shortFloat32(value)));
}

const [MINUS, POINT] = [0x2d, 0x2e];

/** Appends `scaled / 10 ** places` with the sign of `value`. */
function appendDecimal(value: number, scaled: number, places: number, text: TextBuffer): void {
  const power = POWERS[places] as number;
  const whole = Math.floor(scaled / power);
  if (value < 0 || Object.is(value, -0)) text.appendByte(MINUS);
  text.appendDigits(whole, 1);
  text.appendByte(POINT);
  text.appendDigits(scaled - whole * power, places);
}

/** Formats a float as Python's `repr` does, except that exponents follow the rules of JavaScript. */
function floatText(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value < 0 ? "-inf" : "inf";
  const digits = String(value);
  return /[.e]/.test(digits) ? digits : `${digits}.0`;
}
