import { expect, test } from "@jest/globals";
import { inParallel } from "../../src/sources/in-parallel.js";

test("inParallel starts no call after a rejection, even if another call ends at the same time", async () => {
  const started: number[] = [];
  const running = inParallel([0, 1, 2, 3], 2, async (item) => {
    started.push(item);
    if (item === 0) throw new RangeError("mine");
  });
  await expect(running).rejects.toThrow("mine");
  expect(started).toEqual([0, 1]);
});
