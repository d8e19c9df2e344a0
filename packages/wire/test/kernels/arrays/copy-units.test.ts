import { expect, test } from "@jest/globals";
import { unitsOf, wordsIn } from "../../../src/kernels/arrays/copy-units.js";

test("wordsIn counts one word per four bytes, even for 2 GiB or more", () => {
  expect(wordsIn(2 ** 31)).toBe(536_870_912);
  expect(wordsIn(2 ** 31 + 4)).toBe(536_870_913);
  expect(wordsIn(2 ** 32)).toBe(1_073_741_824);
  expect(wordsIn(2 ** 32 + 16)).toBe(1_073_741_828);
});

test("unitsOf returns words if values consist of whole words, and bytes otherwise", () => {
  expect(unitsOf(BigInt64Array.of(1n, 2n))).toEqual(Int32Array.of(1, 0, 2, 0));
  expect(unitsOf(Int16Array.of(1, 2))).toEqual(Uint8Array.of(1, 0, 2, 0));
  expect(unitsOf(Int16Array.of(1, 2), 2)).toEqual(Int32Array.of(0x2_0001));
});
