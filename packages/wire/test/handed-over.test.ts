import { describe, expect, test } from "@jest/globals";
import { handedOver, itemsOf } from "@tfxio/wire";

/** Returns a function whose calls resolve to 1, 2, …, `last`, then undefined, and log when they begin and end. */
function counting(last: number, log: string[]): () => Promise<number | undefined> {
  let number = 0;
  return async () => {
    log.push("begin");
    await new Promise((resolve) => setTimeout(resolve, 1));
    log.push("end");
    return number === last ? undefined : ++number;
  };
}

describe("handedOver", () => {
  test("yields items in order, and runs simultaneous next() calls one after another", async () => {
    const log: string[] = [];
    const items = handedOver(counting(2, log));
    const results = await Promise.all([items.next(), items.next(), items.next()]);
    expect(results.map(({ value }) => value)).toEqual([1, 2, undefined]);
    expect(log).toEqual(["begin", "end", "begin", "end", "begin", "end"]);
  });

  test("calls close only once, after a failed next() or on return(), and rethrows the first error", async () => {
    let numClosed = 0;
    const close = async (): Promise<void> => {
      numClosed++;
      throw new Error("close failed");
    };
    const failing = handedOver(() => Promise.reject(new Error("next failed")), close);
    await expect(failing.next()).rejects.toThrow("next failed");
    expect(await failing.next()).toEqual({ done: true, value: undefined });
    expect(numClosed).toBe(1);
    const left = handedOver(counting(2, []), close);
    await left.next();
    await expect(left.return()).rejects.toThrow("close failed");
    expect(await left.next()).toEqual({ done: true, value: undefined });
    expect(numClosed).toBe(2);
  });
});

describe("itemsOf", () => {
  test.each([
    ["closes a partly read iterable exactly once", 1, 1],
    ["does not close an iterable that was never opened", 0, 0],
    ["does not close an iterable that was read to its end", 3, 0],
  ])("%s", async (_, numRead, numReturned) => {
    let found = 0;
    const next = counting(2, []);
    const reader = itemsOf(() => ({
      [Symbol.asyncIterator]: () => ({
        next: async () => {
          const value = await next();
          return value === undefined ? { done: true, value } : { done: false, value };
        },
        return: async () => {
          found++;
          return { done: true, value: undefined };
        },
      }),
    }));
    for (let read = 0; read < numRead; read++) await reader.next();
    await reader.close();
    await reader.close();
    expect(found).toBe(numReturned);
  });
});
