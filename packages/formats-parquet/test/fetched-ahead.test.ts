import { expect, test } from "@jest/globals";
import { fetchedAhead } from "../src/row-groups/fetched-ahead.js";

const MB = 2 ** 20;

/** Creates a fetch function that records each item and signal. */
function notedFetch() {
  const begun: number[] = [];
  const signals: AbortSignal[] = [];
  const fetch = (item: number, signal: AbortSignal): Promise<string> => {
    begun.push(item);
    signals.push(signal);
    return Promise.resolve(`fetched ${item}`);
  };
  return { begun, signals, fetch };
}

test("while an item is in use, only the next one is fetched", async () => {
  const { begun, fetch } = notedFetch();
  const items = fetchedAhead([1, 2, 3, 4], { numBytesOf: () => MB, fetch, signal: undefined });
  expect((await items.next()).value).toBe("fetched 1");
  expect(begun).toEqual([1, 2]);
  expect((await items.next()).value).toBe("fetched 2");
  expect(begun).toEqual([1, 2, 3]);
  await items.return();
});

test("an item of more than 32 MiB is not fetched ahead", async () => {
  const { begun, fetch } = notedFetch();
  const items = fetchedAhead([1, 33, 2], { numBytesOf: (item) => item * MB, fetch, signal: undefined });
  await items.next();
  expect(begun).toEqual([1]);
  await items.next();
  expect(begun).toEqual([1, 33, 2]);
  await items.return();
});

test("leaving the loop early aborts the signals of all fetches", async () => {
  const { signals, fetch } = notedFetch();
  for await (const _ of fetchedAhead([1, 2], { numBytesOf: () => 1, fetch, signal: undefined })) break;
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
});

test("an error in fetching an item is thrown after the items before it have been yielded", async () => {
  const seen: number[] = [];
  const fetch = (item: number): Promise<number> =>
    item === 2 ? Promise.reject(new Error("no item 2")) : Promise.resolve(item);
  const read = async (): Promise<void> => {
    for await (const item of fetchedAhead([1, 2, 3], { numBytesOf: () => 1, fetch, signal: undefined })) {
      // By now the fetch of item 2 has been rejected, but the loop has not requested item 2.
      await new Promise(setImmediate);
      seen.push(item);
    }
  };
  await expect(read()).rejects.toThrow("no item 2");
  expect(seen).toEqual([1]);
});

test("the signal of a fetch aborts with the reason of the caller's signal", async () => {
  const controller = new AbortController();
  const { signals, fetch } = notedFetch();
  const items = fetchedAhead([1, 2], { numBytesOf: () => 1, fetch, signal: controller.signal });
  await items.next();
  controller.abort(new Error("enough"));
  expect(signals[1]!.reason).toBe(controller.signal.reason);
  await items.return();
});
