import { describe, expect, test } from "@jest/globals";
import { fromItems } from "../src/index.js";

/** 90 % zeros, 10 % ones. */
const skewed = fromItems(Array.from({ length: 20_000 }, (_, x) => (x % 10 === 0 ? 1 : 0)));
const shareOfOnes = (xs: readonly number[]): number => xs.filter((x) => x === 1).length / xs.length;

describe("rejectionResample", () => {
  test.each([
    ["with given initial shares", { target: [1, 1], initial: [0.9, 0.1], seed: 1 }, 0.5],
    ["with estimated initial shares", { target: [0.5, 0.5], seed: 1 }, 0.5],
    ["with a skewed target", { target: [3, 1], initial: [9, 1], seed: 2 }, 0.25],
  ])("yields the target shares %s", async (_name, options, expected) => {
    const kept = await skewed.rejectionResample((x) => x, options).toArray();
    // The tolerance is four standard deviations of the share of ones.
    expect(Math.abs(shareOfOnes(kept) - expected)).toBeLessThan(
      4 * Math.sqrt((expected * (1 - expected)) / kept.length),
    );
    expect(kept.length).toBeGreaterThan(3000);
  });

  test("keeps everything if the shares already match, and nothing of a class with target 0", async () => {
    const right = await skewed.rejectionResample((x) => x, { target: [9, 1], initial: [9, 1] }).toArray();
    expect(right).toHaveLength(20_000);
    const ones = await skewed.rejectionResample((x) => x, { target: [0, 1], initial: [9, 1] }).toArray();
    expect(ones).toEqual(Array.from({ length: 2000 }, () => 1));
  });

  test("draws differently in each pass of a dataset, but a new dataset with the same seed repeats the draws", async () => {
    const build = () => skewed.rejectionResample((x) => x, { target: [1, 1], seed: 5 });
    const dataset = build();
    const [first, second] = [await dataset.toArray(), await dataset.toArray()];
    expect(second).not.toEqual(first);
    expect(await build().toArray()).toEqual(first);
    const iterator = await build().iterator();
    for (let k = 0; k < 100; k++) await iterator.next();
    expect(await (await build().iterator({ state: iterator.state() })).toArray()).toEqual(first.slice(100));
    await iterator.close();
  });

  test("throws an error in place of an element whose class has no target share", async () => {
    const dataset = fromItems([0, 2, 1]).rejectionResample(async (x) => x, {
      target: [1, 1],
      initial: [1, 1],
    });
    await expect(dataset.toArray()).rejects.toMatchObject({ code: "invalid-argument" });
    expect(await dataset.ignoreErrors().toArray()).toEqual([0, 1]);
  });

  test.each([
    [{ target: [] }],
    [{ target: [0, 0] }],
    [{ target: [-1, 1] }],
    [{ target: [1, 1], initial: [1] }],
    [{}],
  ])("rejects %j", (options) => {
    expect(() => skewed.rejectionResample((x) => x, options as never)).toThrow("[invalid-argument]");
  });
});
