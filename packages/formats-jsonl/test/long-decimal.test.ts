import { expect, test } from "@jest/globals";
import { Random } from "@tfxio/wire";
import { longDecimal } from "../src/parse/long-decimal.js";

// For decimals of up to 20 digits, ECMAScript requires `Number` to round to the nearest float64, ties to even.

function valueOf(text: string): number | undefined {
  const [digits = "", exponent = "0"] = text.split("e");
  const fraction = digits.includes(".") ? digits.length - digits.indexOf(".") - 1 : 0;
  const bytes = new TextEncoder().encode(digits);
  return longDecimal(bytes, 0, bytes.length, Number(exponent) - fraction);
}

test("decimals of 16 to 19 digits become the nearest float64, and at most 1% are left to Number", () => {
  const random = Random.of(7, 4);
  const digits = (count: number): string => Array.from({ length: count }, () => random.below(10)).join("");
  let numFound = 0;
  for (let index = 0; index < 30_000; index++) {
    const numDigits = 16 + random.below(4);
    const point = random.below(numDigits);
    const all = `${1 + random.below(9)}${digits(numDigits - 1)}`;
    const text = `${all.slice(0, point) || "0"}.${all.slice(point)}${random.below(3) === 0 ? "e-3" : ""}`;
    const found = valueOf(text);
    if (found === undefined) continue;
    numFound++;
    if (found !== Number(text)) throw new Error(`${text} became ${found}, not ${Number(text)}`);
  }
  expect(numFound).toBeGreaterThan(29_700);
});

test("the shortest text of a float64 parses to that float64, or is left to Number", () => {
  const random = Random.of(8, 4);
  let numFound = 0;
  for (let index = 0; index < 20_000; index++) {
    const value = (random.below(2 ** 32) * 2 ** 21 + random.below(2 ** 21)) / 2 ** (40 + random.below(50));
    const text = String(value);
    if (text.includes("e")) continue;
    const found = valueOf(text);
    if (found === undefined) continue;
    numFound++;
    expect(found).toBe(value);
  }
  expect(numFound).toBeGreaterThan(10_000);
});

test("a decimal halfway between two float64 values is left to Number, which rounds to even", () => {
  // 2^53 + 1, the decimals 0.001 above and below it, and 2^52 + 0.5.
  expect(valueOf("9007199254740993.0")).toBeUndefined();
  expect(valueOf("9007199254740993.001")).toBe(9007199254740994);
  expect(valueOf("9007199254740992.999")).toBe(9007199254740992);
  expect(valueOf("4503599627370496.500")).toBeUndefined();
});

test.each([
  "1234567890123456e1",
  "0.00000000000000000000123456789012345678",
  "12345678901234567890.5",
  "0.5",
])("%s is left to Number", (text) => {
  expect(valueOf(text)).toBeUndefined();
});
