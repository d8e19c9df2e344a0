import { describe, expect, jest, test } from "@jest/globals";
import { cancellable } from "../src/cancellable.js";

describe("a read that can be abandoned", () => {
  test("ends, as at the end of its items, even while the next item is awaited", async () => {
    const ended = jest.fn();
    const items = cancellable<number>(async function* (leaving) {
      try {
        yield 1;
        await new Promise((_, reject) => leaving.addEventListener("abort", () => reject(leaving.reason)));
      } finally {
        ended();
      }
    });
    expect(await items.next()).toEqual({ done: false, value: 1 });
    const pending = items.next();
    expect(await items.return?.()).toEqual({ done: true, value: undefined });
    expect(await pending).toEqual({ done: true, value: undefined });
    expect(ended).toHaveBeenCalledTimes(1);
  });

  test("passes on its errors until it is abandoned", async () => {
    const items = cancellable<number>(async function* () {
      yield 1;
      throw new RangeError("mine");
    });
    await items.next();
    await expect(items.next()).rejects.toThrow("mine");
    expect(await items.next()).toEqual({ done: true, value: undefined });
  });

  test("reads nothing if it is abandoned before its first item", async () => {
    const begun = jest.fn();
    const items = cancellable<number>(async function* () {
      begun();
      yield 1;
    });
    expect(await items.return?.()).toEqual({ done: true, value: undefined });
    expect(begun).not.toHaveBeenCalled();
  });
});
