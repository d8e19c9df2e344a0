import { expect, test } from "@jest/globals";
import { type Dataset, fromItems, fromRecordBatches } from "../../src/index.js";
import { Schema } from "apache-arrow";

const numbers = (count: number): Dataset<number> => fromItems(Array.from({ length: count }, (_, x) => x));

test.each<[string, string, () => Dataset<unknown>]>([
  ["an unordered map", "map", () => numbers(9).map((x) => x, { parallel: 2, ordered: false })],
  [
    "an unordered interleave",
    "interleave",
    () => numbers(9).interleave((x) => numbers(x), { parallel: true, ordered: false }),
  ],
  [
    "a shuffle created by a function",
    "shuffle",
    () => numbers(9).flatMap(() => numbers(9).shuffle(9, { seed: 1 })),
  ],
  [
    "a fixed-order shuffle that a function creates without a seed",
    "shuffle",
    () => numbers(9).flatMap(() => numbers(9).shuffle(9, { reshuffleEachIteration: false })),
  ],
])("the state of %s cannot be taken, and the error names %s", async (_name, feature, build) => {
  const iterator = await build().iterator();
  await iterator.next();
  expect(() => iterator.state()).toThrow(
    expect.objectContaining({ code: "unsupported", reason: "not-repeatable", feature }),
  );
  await iterator.close();
});

test("a fixed-order shuffle has a state if a function creates it with a seed", async () => {
  const build = (): Dataset<number> =>
    numbers(4).flatMap(() => numbers(5).shuffle(5, { seed: 1, reshuffleEachIteration: false }));
  const whole = await build().toArray();
  const iterator = await build().iterator();
  for (let k = 0; k < 7; k++) await iterator.next();
  const resumed = await build().iterator({ state: iterator.state() });
  expect(await resumed.toArray()).toEqual(whole.slice(7));
  await iterator.close();
});

test("an iterator has no state if its passes over a shuffle overlap those of another iterator", async () => {
  const dataset = numbers(5).shuffle(5).repeat();
  const [first, second] = [await dataset.iterator(), await dataset.iterator()];
  await first.next();
  await second.next();
  for (let k = 0; k < 5; k++) await first.next();
  expect(() => first.state()).toThrow(
    expect.objectContaining({ reason: "not-repeatable", feature: "shuffle" }),
  );
  await dataset.close();
});

test("record batches from a factory without a fixed order have no state", async () => {
  const arrowSchema = new Schema([]);
  const dataset = fromRecordBatches(() => [], { arrowSchema, toHost: () => ({}), ordered: false });
  const iterator = await dataset.iterator();
  await iterator.next();
  expect(() => iterator.state()).toThrow(expect.objectContaining({ feature: "fromRecordBatches" }));
});

test.each([null, 7, "state", {}, { version: 2 }, { version: 1, plan: "fromItems(5)", numElements: -1 }])(
  "%p is not a state",
  async (state) => {
    await expect(numbers(5).iterator({ state: state as never })).rejects.toMatchObject({
      code: "invalid-argument",
      reason: "state",
      argument: "state",
    });
    expect(() => numbers(5).resume(state as never)).toThrow(expect.objectContaining({ reason: "state" }));
  },
);

test("the state of a different dataset is rejected, and the error names both datasets", async () => {
  const state = numbers(5).shuffle(5, { seed: 1 }).batch(2).state();
  for (const other of [
    numbers(6).shuffle(5, { seed: 1 }).batch(2),
    numbers(5).shuffle(6, { seed: 1 }).batch(2),
    numbers(5).shuffle(5, { seed: 2 }).batch(2),
    numbers(5).shuffle(5).batch(2),
    numbers(5).shuffle(5, { seed: 1 }).batch(3),
    numbers(5).shuffle(5, { seed: 1 }),
    numbers(5)
      .map((x) => x)
      .shuffle(5, { seed: 1 })
      .batch(2),
  ])
    await expect(other.iterator({ state })).rejects.toMatchObject({
      reason: "other-plan",
      message: expect.stringContaining("found fromItems(5) | shuffle(5,1,true) | batch(2,false), expected"),
    });
});

test("a dataset that has become shorter cannot resume", async () => {
  const items = [1, 2, 3, 4];
  const iterator = await fromItems(items)
    .filter(() => true)
    .iterator();
  for (let k = 0; k < 3; k++) await iterator.next();
  const state = { ...iterator.state(), plan: "fromItems(2) | filter" };
  await iterator.close();
  const resumed = await fromItems([1, 2])
    .filter(() => true)
    .iterator({ state });
  await expect(resumed.next()).rejects.toMatchObject({ code: "invalid-argument", reason: "other-data" });
  expect(await resumed.next()).toEqual({ value: null, done: true });
});

test("the state counts neither elements that were read ahead nor pending calls", async () => {
  const iterator = await numbers(20).prefetch(8).iterator();
  await iterator.next();
  const waiting = iterator.next();
  expect(iterator.state().numElements).toBe(1);
  await waiting;
  expect(iterator.state().numElements).toBe(2);
  await iterator.close();
  expect(iterator.state().numElements).toBe(2);
});

test("a failed element is read again on resume if it ended the pass, and skipped if it did not", async () => {
  let isFailing = true;
  const dataset = numbers(4).map((x) => {
    if (x === 1 && isFailing) throw new Error("no");
    return x;
  });
  const ended = await dataset.iterator();
  const going = await dataset.iterator({ onElementError: "continue" });
  for (const iterator of [ended, going]) {
    await iterator.next();
    await expect(iterator.next()).rejects.toThrow("no");
  }
  isFailing = false;
  expect(await (await dataset.iterator({ state: ended.state() })).toArray()).toEqual([1, 2, 3]);
  expect(await (await dataset.iterator({ state: going.state() })).toArray()).toEqual([2, 3]);
  await going.close();
});

test("a failing toArray does not advance the state", async () => {
  const build = (failsAt: number): Dataset<number> =>
    fromItems([1, 2, 3, 4, 5, 6]).map((x) => {
      if (x === failsAt) throw new Error("no");
      return x;
    });
  const iterator = await build(4).iterator();
  await iterator.next();
  await expect(iterator.toArray()).rejects.toThrow("no");
  const rest = await build(0).iterator({ state: iterator.state() });
  expect(await rest.toArray()).toEqual([2, 3, 4, 5, 6]);
});

test("map functions are not called for elements that a resumed iterator skips", async () => {
  const calls: number[] = [];
  const build = (): Dataset<number> =>
    numbers(10)
      .map((x) => (calls.push(x), x))
      .prefetch(2);
  const iterator = await build().iterator({ state: { ...build().state(), numElements: 6 } });
  expect((await iterator.next()).value).toBe(6);
  await iterator.close();
  expect(Math.min(...calls)).toBe(6);
});

test("a resumed repeat does not read complete passes again once their length is known", async () => {
  let numRead = 0;
  const build = (): Dataset<number> =>
    numbers(10)
      .filter(() => ++numRead > 0)
      .shuffle(4)
      .repeat();
  const iterator = await build().iterator();
  const elements: unknown[] = [];
  for (let k = 0; k < 1005; k++) elements.push((await iterator.next()).value);
  const state = iterator.state();
  const next = (await iterator.next()).value;
  await iterator.close();
  numRead = 0;
  const resumed = await build().iterator({ state });
  expect((await resumed.next()).value).toBe(next);
  expect(numRead).toBeLessThanOrEqual(10);
  await resumed.close();
});

test("a dataset returns its last iterator's state or, after a complete pass, the next pass's starting state", async () => {
  const dataset = numbers(6).shuffle(6);
  expect(dataset.state().numElements).toBe(0);
  const iterator = await dataset.iterator();
  await iterator.next();
  expect(dataset.state()).toEqual(iterator.state());
  await iterator.toArray();
  expect(dataset.state()).toMatchObject({ numElements: 0, passes: [[1, expect.any(Number)]] });
});

test("while another pass is open, an unread iterator's state is the starting state of its own pass", async () => {
  const dataset = numbers(6).shuffle(6);
  const open = await dataset.iterator();
  await open.next();
  const second = await dataset.iterator();
  const state = second.state();
  expect(state).toMatchObject({ numElements: 0, passes: [[1, expect.any(Number)]] });
  const elements = await second.toArray();
  expect(await (await numbers(6).shuffle(6).iterator({ state })).toArray()).toEqual(elements);
  await open.close();
});
