import { beforeAll, describe, expect, test } from "@jest/globals";
import * as tf from "@tensorflow/tfjs-core";
import "@tensorflow/tfjs-backend-cpu";
import type { HostDense, HostRagged, HostSparse } from "@tfxio/tensor-adapter";
import {
  batchDense,
  batchSparse,
  count,
  first,
  fromItems,
  last,
  max,
  mean,
  min,
  paddedBatchDense,
  paddedBatchSparse,
  ragged,
  Reducer,
  sum,
  toArray,
} from "../src/index.js";
import type { AnyReducer } from "../src/reducers/reducer.js";
import { reduceElements } from "../src/reducers/run-reduction.js";
import { sparse } from "./host-columns.js";

const numbers = fromItems([3, 1, 2]);

describe("reduce", () => {
  test("folds elements, with an initial state or with a reducer", async () => {
    expect(await numbers.reduce("", (state, x) => `${state}${x}`)).toBe("312");
    const range = new Reducer(
      () => ({ least: Number.POSITIVE_INFINITY, most: Number.NEGATIVE_INFINITY }),
      ({ least, most }, x: number) => ({ least: Math.min(least, x), most: Math.max(most, x) }),
      ({ least, most }) => most - least,
    );
    expect(await numbers.reduce(range)).toBe(2);
  });

  test("awaits functions that return promises", async () => {
    const total = new Reducer(
      async () => 0,
      async (state: number, x: number) => state + x,
      async (state) => state * 10,
    );
    expect(await numbers.reduce(total)).toBe(60);
  });

  test("returns finalize(init()) for an empty dataset", async () => {
    const none = fromItems<number>([]);
    expect(await none.reduce(count())).toBe(0);
    expect(await none.reduce(mean())).toBeNaN();
    expect(await none.reduce(first())).toBeUndefined();
    await expect(none.reduce(batchDense())).rejects.toMatchObject({
      code: "invalid-argument",
      reason: "empty",
    });
    expect(await none.reduce(batchDense({ shape: [3], dtype: "int64" }))).toMatchObject({ shape: [0, 3] });
  });

  test("rejects an endless dataset at once", async () => {
    await expect(numbers.repeat().reduce(count())).rejects.toMatchObject({
      code: "invalid-argument",
      reason: "infinite-dataset",
    });
    await expect(numbers.repeat().reduceMany({ size: count() })).rejects.toThrow(/reduceMany/);
  });

  test("names the element for which a reducer fails", async () => {
    const failing = new Reducer(
      () => 0,
      (state: number, x: number) => {
        if (x === 1) throw new Error("one");
        return state + x;
      },
    );
    await expect(numbers.reduce(failing)).rejects.toMatchObject({ code: "user-function", elementIndex: 1 });
  });

  test("ends when its signal is aborted", async () => {
    const abort = new AbortController();
    const reduced = numbers.reduce(
      0,
      async () => {
        abort.abort(new Error("enough"));
        await new Promise((resolve) => setTimeout(resolve, 5));
        return 0;
      },
      { signal: abort.signal },
    );
    await expect(reduced).rejects.toThrow("enough");
  });
});

describe("built-in reducers", () => {
  test("compute the count, sum, mean, minimum, maximum, first, last and list of all elements", async () => {
    const { size, total, average, least, most, head, tail, all } = await numbers.reduceMany({
      size: count(),
      total: sum(),
      average: mean(),
      least: min(),
      most: max(),
      head: first<number>(),
      tail: last<number>(),
      all: toArray<number>(),
    });
    expect([size, total, average, least, most, head, tail]).toEqual([3, 6, 2, 1, 3, 3, 2]);
    expect(all).toEqual([3, 1, 2]);
  });

  test("such as sum() reject an element that is not a number, and describe it", async () => {
    await expect(fromItems([{ a: 1 }]).reduce(sum() as never)).rejects.toThrow(
      '[invalid-argument] sum: an element must be a number or bigint, found an object with the key "a". ' +
        "Map elements to one component first.",
    );
    await expect(fromItems([null]).reduce(sum() as never)).rejects.toThrow(/found null\.$/);
  });

  test("add up 64-bit integers exactly", async () => {
    expect(await fromItems([2n ** 60n, 1n]).reduce(sum())).toBe(2n ** 60n + 1n);
  });

  test("form padded, ragged and sparse batches, and reject a sparse element that exceeds the given shape", async () => {
    const rows = fromItems([Int32Array.of(1), Int32Array.of(2, 3)]);
    const padded = await rows.reduce(paddedBatchDense({ shape: [3], value: -1 }));
    expect(padded).toMatchObject({
      dtype: "int32",
      shape: [2, 3],
      values: Int32Array.of(1, -1, -1, 2, 3, -1),
    });
    const bag = (await rows.reduce(ragged())) as HostRagged;
    expect(bag).toMatchObject({ nestedRowSplits: [Int32Array.of(0, 1, 3)], values: Int32Array.of(1, 2, 3) });
    const sparseRows = fromItems([sparse([[[0, 5]]], 2), sparse([[], [[1, 7]]], 3)]);
    expect((await sparseRows.reduce(batchSparse())) as HostSparse).toMatchObject({
      denseShape: [2, 2, 3],
      indices: Int32Array.of(0, 0, 0, 1, 1, 1),
      values: Float32Array.of(5, 7),
    });
    expect((await sparseRows.reduce(paddedBatchSparse({ shape: [4, null] }))) as HostSparse).toMatchObject({
      denseShape: [2, 4, 3],
    });
    await expect(sparseRows.reduce(paddedBatchSparse({ shape: [1, 1] }))).rejects.toMatchObject({
      code: "shape-mismatch",
      reason: "data-loss",
    });
  });
});

describe("batchBy", () => {
  const rows = fromItems([
    { text: "a", seq: Float32Array.of(1), tags: Float32Array.of() },
    { text: "b", seq: Float32Array.of(2, 3), tags: Float32Array.of(9) },
    { text: "c", seq: Float32Array.of(4), tags: Float32Array.of(8, 7) },
  ]);

  test("batches components with the given reducers, and stacks the components that have none", async () => {
    const batches = (await rows
      .batchBy(2, { seq: paddedBatchDense({ shape: [null] }), tags: ragged() })
      .toArray()) as { text: HostDense; seq: HostDense; tags: HostRagged }[];
    expect(batches.map(({ text }) => text.shape)).toEqual([[2], [1]]);
    expect(batches.map(({ seq }) => [...(seq.values as Float32Array)])).toEqual([[1, 0, 2, 3], [4]]);
    expect(batches.map(({ tags }) => [...(tags.nestedRowSplits[0] as Int32Array)])).toEqual([
      [0, 0, 1],
      [0, 2],
    ]);
  });

  test("yields the same as windows whose components are reduced", async () => {
    const reducers = { seq: paddedBatchDense({ shape: [null] }), tags: ragged() };
    const short = (await rows.batchBy(2, reducers, { dropRemainder: true }).toArray()) as {
      seq: HostDense;
    }[];
    const long = await rows
      .window(2, 2)
      .map(async (window) => ({
        text: await window.text.reduce(batchDense<string>()),
        seq: await window.seq.reduce(reducers.seq as never),
        tags: await window.tags.reduce(reducers.tags as never),
      }))
      .toArray();
    expect(short).toEqual(long);
  });

  test("names a missing component", async () => {
    await expect(rows.batchBy(2, { nothing: ragged() }).toArray()).rejects.toThrow(
      /there is a reducer for "nothing", but elements have these components: text, seq, tags/,
    );
  });
});

describe("tensors", () => {
  beforeAll(async () => {
    tf.env().set("IS_TEST", true);
    await tf.setBackend("cpu");
  });

  test("of elements and of replaced states are disposed, but those of the result are kept", async () => {
    const before = tf.memory().numTensors;
    const source = fromItems([1, 2, 3]).withTensors({ tf });
    const total = await source.reduce(tf.scalar(0) as tf.Tensor, (state, x) => tf.add(state, x));
    expect([...total.dataSync()]).toEqual([6]);
    expect(tf.memory().numTensors - before).toBe(1);
    total.dispose();
  });

  test("are disposed if a reduction fails", async () => {
    const before = tf.memory().numTensors;
    const reduced = fromItems([1, 2])
      .withTensors({ tf })
      .reduce(tf.scalar(0) as tf.Tensor, (state, x) => {
        if (x.dataSync()[0] === 2) throw new Error("two");
        return tf.add(state, x);
      });
    await expect(reduced).rejects.toMatchObject({ code: "user-function" });
    expect(tf.memory().numTensors).toBe(before);
  });

  const fails = (): never => {
    throw new Error("no");
  };
  test.each<[string, Reducer<tf.Tensor, unknown>]>([
    ["init", new Reducer<tf.Tensor, unknown>(fails, fails)],
    ["reduce", new Reducer<tf.Tensor, unknown>(() => tf.scalar(0), fails)],
    [
      "finalize",
      new Reducer<tf.Tensor, unknown>(
        () => tf.scalar(0),
        (state, x) => tf.add(state as tf.Tensor, x),
        fails,
      ),
    ],
  ])("of elements and states are disposed if %s throws in batchBy or reduceElements", async (_, reducer) => {
    const before = tf.memory().numTensors;
    const dataset = fromItems([{ x: 1 }, { x: 2 }]).withTensors({ tf });
    await expect(dataset.batchBy(2, { x: reducer }).toArray()).rejects.toMatchObject({
      code: "user-function",
    });
    expect(tf.memory().numTensors).toBe(before);
    await expect(
      reduceElements([tf.scalar(1), tf.scalar(2)], reducer as AnyReducer, "batchBy", 0),
    ).rejects.toMatchObject({ code: "user-function" });
    expect(tf.memory().numTensors).toBe(before);
  });

  test("are disposed if unique() rejects them or shard() drops them", async () => {
    const before = tf.memory().numTensors;
    const rows = await fromItems([1, 2, 3, 4])
      .withTensors({ tf })
      .unique()
      .toArray()
      .catch((error: unknown) => error);
    expect(rows).toMatchObject({ code: "invalid-argument" });
    expect(tf.memory().numTensors).toBe(before);
    const taken = await fromItems([1, 2, 3, 4])
      .withTensors({ tf })
      .takeWhile(() => true)
      .shard(2, 1)
      .enumerate()
      .toArray();
    expect(taken.map(([position, x]) => [position, x.dataSync()[0]])).toEqual([
      [0n, 2],
      [1n, 4],
    ]);
    taken.forEach(([, x]) => x.dispose());
    expect(tf.memory().numTensors).toBe(before);
  });
});
