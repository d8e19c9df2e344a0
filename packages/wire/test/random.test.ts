import { describe, expect, test } from "@jest/globals";
import { Random } from "../src/random.js";

describe("Random", () => {
  test("returns the first ten outputs of xoshiro128** in rand_xoshiro (Rust) for state 1, 2, 3, 4", () => {
    const random = new Random([1, 2, 3, 4]);
    expect(Array.from({ length: 10 }, () => random.next())).toEqual([
      11520, 0, 5927040, 70819200, 2031721883, 1637235492, 1287239034, 3734860849, 3729100597, 4258142804,
    ]);
  });

  test("starts differently for different seeds or streams, even if they differ only in the high word", () => {
    const firsts = [
      [0, 0],
      [1, 0],
      [0, 1],
      [2 ** 32, 0],
      [0, 2 ** 32],
    ].map(([seed, stream]) => Random.of(seed as number, stream as number).next());
    expect(new Set(firsts).size).toBe(5);
    expect(Random.of(5, 3).next()).toBe(Random.of(5, 3).next());
  });

  test("draws each of 6 numbers about equally often", () => {
    const random = Random.of(42, 0);
    const counts = new Int32Array(6);
    for (let i = 0; i < 60_000; i++) {
      const value = random.below(6);
      counts[value] = (counts[value] as number) + 1;
    }
    // Binomial: mean 10000, standard deviation 91.
    for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(5 * 91);
  });
});
