import { expect, test } from "@jest/globals";
import { fromFloat16 } from "@tfxio/arrow-encoding";
import { toFloat16 } from "../../src/host/float16.js";

test("every binary16 number survives a round trip, and every NaN becomes the canonical NaN", () => {
  const changed = Array.from({ length: 0x10000 }, (_, bits) => bits).filter((bits) => {
    const value = fromFloat16(bits);
    return toFloat16(value) !== (Number.isNaN(value) ? 0x7e00 : bits);
  });
  expect(changed).toEqual([]);
});

test("numbers between two binary16 values are rounded to the nearest, ties to even", () => {
  // Adjacent binary16 values differ by 2^-10 between 1 and 2, by 32 at 65504, and by 2^-24 below 2^-14 (IEEE 754).
  expect(toFloat16(1 + 2 ** -11)).toBe(0x3c00);
  expect(toFloat16(1 + 3 * 2 ** -11)).toBe(0x3c02);
  expect(toFloat16(2 - 2 ** -12)).toBe(0x4000);
  expect(toFloat16(65519)).toBe(0x7bff);
  expect(toFloat16(65520)).toBe(0x7c00);
  expect(toFloat16(-(2 ** -25))).toBe(0x8000);
  expect(toFloat16(1.5 * 2 ** -24)).toBe(0x0002);
  expect(toFloat16(2 ** -14 - 2 ** -26)).toBe(0x0400);
  expect(toFloat16(Number.NaN)).toBe(0x7e00);
});
