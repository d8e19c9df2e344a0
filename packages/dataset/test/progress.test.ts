import { beforeAll, describe, expect, test } from "@jest/globals";
import * as tf from "@tensorflow/tfjs-core";
import "@tensorflow/tfjs-backend-cpu";
import * as tfl from "@tensorflow/tfjs-layers";
import { type Dataset, fromItems, type ProgressEvent, withProgress } from "../src/index.js";
import { disposeElements } from "../src/columns/structure.js";
import { dense, ragged, sparse } from "./host-columns.js";

beforeAll(async () => {
  tf.env().set("IS_TEST", true); // Suppresses the advice to install tfjs-node.
  await tf.setBackend("cpu");
});

function watched<T>(dataset: Dataset<T>, everyMs = 0) {
  const events: ProgressEvent[] = [];
  return { events, dataset: withProgress(dataset, (event) => events.push(event), { everyMs }) };
}

const pause = (delayMs: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, delayMs);
  });

describe("a pass", () => {
  test("is reported at its start, while it runs and at its end", async () => {
    const { events, dataset } = watched(fromItems([1, 2, 3]));
    for await (const _ of dataset) await pause(2);
    expect(events.map(({ state, numElements }) => [state, numElements])).toEqual([
      ["running", 0],
      ["running", 1],
      ["running", 2],
      ["running", 3],
      ["complete", 3],
    ]);
    expect(events.map(({ totalElements }) => totalElements)).toEqual([3, 3, 3, 3, 3]);
    expect(events.at(0)).toMatchObject({ epoch: 0, rowsPerSecond: 0, remainingMs: undefined });
    const [, second, , fourth] = events as [unknown, ProgressEvent, unknown, ProgressEvent];
    // One of three elements is done, so twice the elapsed time remains.
    expect(second.remainingMs).toBeCloseTo(2 * second.elapsedMs);
    expect(second.rowsPerSecond).toBeCloseTo(1000 / second.elapsedMs);
    expect(fourth.remainingMs).toBe(0);
  });

  test("is reported once as stopped if it is closed early or fails", async () => {
    const left = watched(fromItems([1, 2, 3]));
    for await (const _ of left.dataset) break;
    expect(left.events.map(({ state }) => state)).toEqual(["running", "running", "stopped"]);

    const failing = fromItems([1, 2]).map((value) => {
      if (value === 2) throw new RangeError("two");
      return value;
    });
    const failed = watched(failing);
    await expect(failed.dataset.toArray()).rejects.toThrow("two");
    expect(failed.events.filter(({ state }) => state === "stopped")).toHaveLength(1);
  });

  test("is not reported if its iterator is never read", async () => {
    const { events, dataset } = watched(fromItems([1]));
    await (await dataset.iterator()).return();
    expect(events).toEqual([]);
  });

  test("is reported no more often than requested", async () => {
    const { events, dataset } = watched(fromItems(Array.from({ length: 1000 }, (_, row) => row)), 10_000);
    for await (const _ of dataset);
    expect(events).toHaveLength(2);
  });

  test("of unknown length reports a total if an earlier pass was complete", async () => {
    const { events, dataset } = watched(fromItems([1, 2, 3, 4]).filter((value) => value > 1));
    await dataset.toArray();
    await dataset.toArray();
    const totals = (epoch: number): unknown[] =>
      events.filter((event) => event.epoch === epoch).map(({ totalElements }) => totalElements);
    expect(new Set(totals(0))).toEqual(new Set([undefined]));
    expect(new Set(totals(1))).toEqual(new Set([3]));
  });

  test("that resumes from a state counts earlier elements in numElements, but neither in numRows nor in the rate", async () => {
    let numCalls = 0;
    const build = () => watched(fromItems([1, 2, 3, 4]).map((x) => (numCalls++, x)));
    const iterator = await build().dataset.iterator();
    for (let read = 0; read < 2; read++) await iterator.next();
    const state = iterator.state();
    await iterator.close();
    numCalls = 0;
    const { events, dataset } = build();
    for await (const _ of await dataset.iterator({ state })) await pause(2);
    expect(numCalls).toBe(2);
    expect(events.map(({ numElements, numRows }) => [numElements, numRows])).toEqual([
      [0, 0],
      [3, 1],
      [4, 2],
      [4, 2],
    ]);
    const { remainingMs, elapsedMs } = events[1] as ProgressEvent;
    expect(remainingMs).toBeCloseTo(elapsedMs);
  });

  test("yields the same elements with and without progress reports, and the dataset keeps its cardinality", async () => {
    const source = fromItems([1, 2, 3]);
    expect(await watched(source).dataset.toArray()).toEqual(await source.toArray());
    expect(watched(source).dataset.cardinality()).toBe(3);
  });
});

test("withProgress counts the epochs of training and the rows of batches", async () => {
  const rows = fromItems(Array.from({ length: 10 }, (_, row) => ({ x: [row / 10], y: row / 5 })));
  const batches = rows.batch(4).toXY({ xs: "x", ys: "y" }).withTensors({ tf, float64: "float32-lossy" });
  const { events, dataset } = watched(batches);
  const model = tfl.sequential();
  model.add(tfl.layers.dense({ units: 1, inputShape: [1] }));
  model.compile({ optimizer: "sgd", loss: "meanSquaredError" });
  await model.fitDataset(dataset, { epochs: 2 });
  const complete = events.filter(({ state }) => state === "complete");
  expect(complete.map(({ epoch, numElements, numRows }) => [epoch, numElements, numRows])).toEqual([
    [0, 3, 10],
    [1, 3, 10],
  ]);
  model.dispose();
});

test.each<[string, unknown]>([
  ["dense", dense(Float32Array.of(1, 2, 3, 4, 5, 6), [3, 2])],
  ["sparse", sparse([[], [[0, 1]], []], 2)],
  ["ragged", ragged([[1, 2], [], []])],
])("withProgress counts the rows of a batch with %s labels, on the host and as tensors", async (_, ys) => {
  const labelled = fromItems([{ xs: dense(Float32Array.of(1, 2, 3), [3]), ys }]);
  for (const batches of [labelled, labelled.withTensors({ tf })]) {
    const { events, dataset } = watched<unknown>(batches);
    for await (const batch of dataset) disposeElements([batch]);
    expect(events.at(-1)).toMatchObject({ state: "complete", numElements: 1, numRows: 3 });
  }
});

test("an error thrown by onProgress ends the pass and frees its elements", async () => {
  const source = fromItems([1, 2, 3]).map((value) => tf.scalar(value));
  const before = tf.memory().numTensors;
  const dataset = withProgress(
    source,
    ({ numElements }) => {
      if (numElements === 2) throw new RangeError("no bar");
    },
    { everyMs: 0 },
  );
  const read: tf.Tensor[] = [];
  await expect(
    (async () => {
      for await (const element of dataset) read.push(element);
    })(),
  ).rejects.toMatchObject({ code: "user-function", operator: "withProgress" });
  tf.dispose(read);
  expect(tf.memory().numTensors).toBe(before);
});

test("wrong arguments are rejected at the call", () => {
  expect(() => withProgress([] as never, () => {})).toThrow("[invalid-argument] withProgress: dataset");
  expect(() => withProgress(fromItems([1]), 7 as never)).toThrow(
    "[invalid-argument] withProgress: onProgress",
  );
  expect(() => withProgress(fromItems([1]), () => {}, { everyMs: -1 })).toThrow("[invalid-argument]");
});
