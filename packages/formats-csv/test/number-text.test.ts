import { describe, expect, test } from "@jest/globals";
import { shortFloat32 } from "@tfxio/arrow-encoding";
import { appendFloat32, appendFloat64, appendInt32 } from "../src/encode/number-text.js";
import { TextBuffer } from "../src/encode/text-buffer.js";

const text = new TextBuffer();
const decoder = new TextDecoder();

function textOf(append: (value: number, text: TextBuffer) => void, value: number): string {
  text.truncate(0);
  append(value, text);
  return decoder.decode(text.bytes);
}

/** Returns the fewest digits that identify a number, as in Number::toString. Adds `.0` if they have no point or exponent. */
const withPoint = (value: number): string => {
  const digits = Object.is(value, -0) ? "-0" : String(value);
  return /[.e]/.test(digits) ? digits : `${digits}.0`;
};

const bits = new DataView(new ArrayBuffer(8));
/** Yields special cases, short decimals and random bit patterns. */
function* numbers(count: number): Generator<number> {
  yield* [
    0, -0, 1, -1, 0.1, 1e-6, 1e-7, 123456.789, 2147483647.5, 2147483648, 4294967295.25, 999999.5, 0.000_000_5,
    1e21,
  ];
  let state = 1;
  const next = (): number => (state = Math.imul(state, 0x0019660d) + 0x3c6ef35f) >>> 0;
  for (let index = 0; index < count; index++) {
    yield (next() - 0x8000_0000) / 10 ** (next() % 12);
    yield Math.round(next() / 1000) / 10 ** (next() % 7);
    bits.setUint32(0, next());
    bits.setUint32(4, next());
    const any = bits.getFloat64(0);
    if (Number.isFinite(any)) yield any;
  }
}

describe("a number written as text", () => {
  test("has the fewest digits that identify its float64, as in ECMAScript", () => {
    const wrong = [...numbers(30_000)].filter((value) => textOf(appendFloat64, value) !== withPoint(value));
    expect(wrong).toEqual([]);
  });

  test("has the fewest digits that identify its float32", () => {
    const singles = [...numbers(30_000)].map(Math.fround).filter(Number.isFinite);
    const wrong = singles.filter((single) => {
      const written = textOf(appendFloat32, single);
      return Math.fround(Number(written)) !== single || written !== withPoint(shortFloat32(single));
    });
    expect(wrong).toEqual([]);
  });

  test("is exact if it is an int32 near a power of ten or at an end of the range", () => {
    const powers = Array.from({ length: 10 }, (_, power) => [
      10 ** power - 1,
      10 ** power,
      10 ** power + 1,
    ]).flat();
    for (const value of [...powers, ...powers.map((power) => -power), 2 ** 31 - 1, -(2 ** 31)]) {
      expect(textOf(appendInt32, value)).toBe(String(value + 0));
    }
  });
});
