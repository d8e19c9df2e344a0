import { expect, test } from "@jest/globals";
import { shortFloat32 } from "../../src/index.js";

/** float32 values, written with the digits that Ryu's tests expect (ulfjack/ryu, f2s_test.cc). */
const ryu = [
  1.1754944e-38, 3.4028235e38, 1e-45, -2.47e-43, 6.0898e-39, 1.993244e-38, 1.9310392e-38, 7.038531e-26,
  1.00014165e-36, 1.23456735e-36, 0.0010310042, 0.007812537, 1.2, 1.2345678, 200, 4103.9004, 8388608,
  16777216, 33554436, 67131496, 5.3399997e9, 2.816025e14, 2.882326e17, 9.223404e17, 5.368709e18, 1.1811161e19,
  1.18697725e20, 1.5846086e29,
];

test("shortFloat32 returns the number with the fewest digits that identify a float32", () => {
  for (const digits of ryu) expect(shortFloat32(Math.fround(digits))).toBe(digits);
});

test("shortFloat32 returns a number that rounds to the given float32, for random bits", () => {
  const float = new Float32Array(1);
  const bits = new Uint32Array(float.buffer);
  for (let seed = 1; seed < 20_000; seed++) {
    bits[0] = Math.imul(seed, 0x9e3779b1) >>> 0;
    const value = float[0] as number;
    expect(Math.fround(shortFloat32(value))).toBe(value);
  }
});
