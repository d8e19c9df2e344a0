import { describe, expect, test } from "@jest/globals";
import { fromItems } from "../src/index.js";

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2));

describe("prefetch", () => {
  test("reads at most the given number of elements ahead, one at a time", async () => {
    let started = 0;
    let running = 0;
    const iterator = await fromItems([1, 2, 3, 4, 5, 6])
      .map(async (x) => {
        started++;
        running++;
        expect(running).toBe(1);
        await Promise.resolve();
        running--;
        return x;
      })
      .prefetch(2)
      .iterator();
    await turn();
    expect(started).toBe(0);
    expect(await iterator.next()).toEqual({ value: 1, done: false });
    await turn();
    expect(started).toBe(3);
    expect(await iterator.next()).toEqual({ value: 2, done: false });
    await turn();
    expect(started).toBe(4);
    await iterator.close();
    await turn();
    expect(started).toBe(4);
  });

  test.each([1, 3])("with a count of %d changes only the timing", async (count) => {
    const items = Array.from({ length: 50 }, (_, i) => i);
    expect(await fromItems(items).prefetch(count).toArray()).toEqual(items);
    expect(await fromItems(items).prefetch(count).prefetch(count).take(7).toArray()).toEqual(
      items.slice(0, 7),
    );
    const batches = await fromItems(items).prefetch(count).batch(8).prefetch(count).toArray();
    expect(batches.flatMap((batch) => [...(batch.values as Float32Array)])).toEqual(items);
  });

  test("keeps errors at the position of their elements", async () => {
    const iterator = await fromItems([1, 2, 3])
      .map((x) => {
        if (x === 2) throw new Error("two");
        return x;
      })
      .prefetch(3)
      .iterator({ onElementError: "continue" });
    expect((await iterator.next()).value).toBe(1);
    await expect(iterator.next()).rejects.toThrow("two");
    expect((await iterator.next()).value).toBe(3);
  });

  test("causes no unhandled rejection if the source fails and nobody requests the next element", async () => {
    const unhandled: unknown[] = [];
    const listener = (error: unknown): void => void unhandled.push(error);
    process.on("unhandledRejection", listener);
    const { fromBlocks } = await import("../src/index.js");
    const { dense } = await import("./host-columns.js");
    const dataset = fromBlocks(function* () {
      yield { numRows: 1, columns: { x: dense(Float32Array.of(1), [1]) } };
      throw new Error("lost");
    }).prefetch(3);
    const iterator = await dataset.iterator();
    await iterator.next();
    await turn();
    await iterator.close();
    await turn();
    process.off("unhandledRejection", listener);
    expect(unhandled).toEqual([]);
    await expect(dataset.toArray()).rejects.toThrow("lost");
  });

  test("rejects 0 at the call", () => {
    expect(() => fromItems([1]).prefetch(0)).toThrow(
      "[invalid-argument] prefetch: count must be a positive integer, found 0",
    );
  });
});
