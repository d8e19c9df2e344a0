import { describe, expect, test } from "@jest/globals";
import { median, rotated } from "../src/statistics.js";

describe("median", () => {
  test("is the middle value of an odd number of values in any order", () => {
    expect(median([30, 1, 2])).toBe(2);
    expect(median([10, 9, 100, 1, 11])).toBe(10);
  });
  test("is the mean of the two middle values of an even number of values", () => {
    expect(median([4, 1, 3, 100])).toBe(3.5);
  });
  test("of no values is NaN", () => {
    expect(median([])).toBeNaN();
  });
});

describe("rotated", () => {
  test("puts a different item first in each round, and starts over after the last item", () => {
    const rounds = [0, 1, 2, 3].map((round) => rotated(["a", "b", "c"], round).join(""));
    expect(rounds).toEqual(["abc", "bca", "cab", "abc"]);
  });
  test("returns an empty list for an empty list", () => {
    expect(rotated([], 3)).toEqual([]);
  });
});
