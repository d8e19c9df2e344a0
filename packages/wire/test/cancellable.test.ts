import { describe, expect, jest, test } from "@jest/globals";
import { cancellable } from "../src/cancellable.js";

describe("a cancellable iterator", () => {
  test("ends on return(), even while its next item is awaited", async () => {
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

  test("passes on an error from its generator, and then ends", async () => {
    const items = cancellable<number>(async function* () {
      yield 1;
      throw new RangeError("mine");
    });
    await items.next();
    await expect(items.next()).rejects.toThrow("mine");
    expect(await items.next()).toEqual({ done: true, value: undefined });
  });

  test("does not start its generator if return() comes before next()", async () => {
    const begun = jest.fn();
    const items = cancellable<number>(async function* () {
      begun();
      yield 1;
    });
    expect(await items.return?.()).toEqual({ done: true, value: undefined });
    expect(begun).not.toHaveBeenCalled();
  });
});
