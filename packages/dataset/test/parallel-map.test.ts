import { describe, expect, test } from "@jest/globals";
import { setTimeout as wait } from "node:timers/promises";
import { fromItems } from "../src/index.js";

const ten = fromItems([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);

/**
 * `f` waits 2 ms times its argument, then returns the argument. `calls` counts pending calls: `now` is the current number, and
 * `most` is the largest so far.
 */
function slowIdentity() {
  const calls = { now: 0, most: 0 };
  const f = async (x: number): Promise<number> => {
    calls.most = Math.max(calls.most, ++calls.now);
    await wait(2 * x);
    calls.now--;
    return x;
  };
  return { calls, f };
}

describe("parallel map", () => {
  test("runs the given number of calls at once, and keeps the order of elements", async () => {
    const { calls, f } = slowIdentity();
    expect(await ten.map(f, { parallel: 4 }).toArray()).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    expect(calls.most).toBe(4);
  });

  test("yields results as they arrive if `ordered` is false", async () => {
    const { f } = slowIdentity();
    const results = await ten.map(f, { parallel: 10, ordered: false }).toArray();
    expect(results.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(results.indexOf(0)).toBeLessThan(results.indexOf(9));
  });

  test("yields an error at the position of its element", async () => {
    const mapped = ten.map(
      async (x) => {
        await wait(x);
        if (x === 7) throw new Error("seven");
        return x;
      },
      { parallel: 3 },
    );
    expect(await mapped.ignoreErrors().toArray()).toEqual([9, 8, 6, 5, 4, 3, 2, 1, 0]);
    await expect(mapped.toArray()).rejects.toMatchObject({ code: "user-function", elementIndex: 2 });
  });

  test("accepts synchronous functions, and knows its length", async () => {
    const doubled = ten.map((x) => 2 * x, { parallel: 3 });
    expect(doubled.cardinality()).toBe(10);
    expect(await doubled.batch(10).toArray()).toMatchObject([
      { values: Float32Array.of(18, 16, 14, 12, 10, 8, 6, 4, 2, 0) },
    ]);
  });

  test("ends when the loop ends, without waiting for pending calls", async () => {
    const started = performance.now();
    const endless = ten.map(async (x) => (x === 9 ? x : new Promise<number>(() => undefined)), {
      parallel: 4,
    });
    for await (const x of endless) {
      expect(x).toBe(9);
      break;
    }
    expect(performance.now() - started).toBeLessThan(5000);
  });

  test("rejects an invalid number of parallel calls", () => {
    expect(() => ten.map((x) => x, { parallel: 0 })).toThrow(
      expect.objectContaining({ code: "invalid-argument" }),
    );
  });
});
