import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import * as tf from "@tensorflow/tfjs-core";
import "@tensorflow/tfjs-backend-cpu";
import { RaggedTensor, SparseTensor } from "@tfxio/tensor-adapter";
import { type ColumnBlock, type Dataset, fromBlocks, fromItems, tuple } from "../src/index.js";
import { dense, ragged, sparse, strings } from "./host-columns.js";

let numTensors = 0;
beforeAll(async () => {
  tf.env().set("IS_TEST", true);
  await tf.setBackend("cpu");
});
beforeEach(() => {
  numTensors = tf.memory().numTensors;
});

function leaked(): number {
  return tf.memory().numTensors - numTensors;
}

function block(...values: number[]): ColumnBlock {
  return {
    numRows: values.length,
    columns: {
      x: dense(Float32Array.from(values), [values.length]),
      id: dense(
        BigInt64Array.from(values, (value) => BigInt(value)),
        [values.length],
        "int64",
      ),
    },
  };
}

/** Returns the shape, dtype and values of a tensor, and disposes the tensor. */
function readOut(tensor: tf.Tensor): { shape: number[]; dtype: string; values: unknown[] } {
  const read = { shape: tensor.shape, dtype: tensor.dtype, values: [...tensor.dataSync()] };
  tensor.dispose();
  return read;
}

describe("withTensors", () => {
  test("creates one tensor for each component of a batch", async () => {
    const [batch] = await fromBlocks(() => [block(1, 2)])
      .batch(2)
      .withTensors({ tf })
      .toArray();
    expect(leaked()).toBe(2);
    expect(readOut(batch?.["x"] as tf.Tensor)).toEqual({ shape: [2], dtype: "float32", values: [1, 2] });
    expect(readOut(batch?.["id"] as tf.Tensor)).toEqual({ shape: [2], dtype: "int32", values: [1, 2] });
    expect(leaked()).toBe(0);
  });

  test("creates bool tensors for booleans and for padded lists of booleans", async () => {
    const rows = fromItems([
      { is: true, all: [true, false] },
      { is: false, all: [true] },
    ]);
    const [batch] = await rows.paddedBatch(2).withTensors({ tf }).toArray();
    expect(readOut(batch?.is as tf.Tensor)).toEqual({ shape: [2], dtype: "bool", values: [1, 0] });
    expect(readOut(batch?.all as tf.Tensor)).toEqual({ shape: [2, 2], dtype: "bool", values: [1, 0, 1, 0] });
    expect(leaked()).toBe(0);
  });

  test("creates tensors for every kind of value", async () => {
    const [element] = await fromItems([
      tuple(1, [1, 2], "ä", 3n, null, sparse([[[0, 5]]], 2), ragged([[1], [2, 3]])),
    ])
      .withTensors({ tf })
      .toArray();
    const [number, vector, text, integer, nothing, bag, list] = element as unknown as [
      tf.Tensor,
      tf.Tensor,
      tf.Tensor,
      tf.Tensor,
      null,
      SparseTensor,
      RaggedTensor,
    ];
    expect(readOut(number)).toEqual({ shape: [], dtype: "float32", values: [1] });
    expect(readOut(vector)).toEqual({ shape: [2], dtype: "float32", values: [1, 2] });
    expect(readOut(text)).toEqual({ shape: [], dtype: "string", values: ["ä"] });
    expect(readOut(integer)).toEqual({ shape: [], dtype: "int32", values: [3] });
    expect(nothing).toBeNull();
    expect(bag).toBeInstanceOf(SparseTensor);
    expect(list).toBeInstanceOf(RaggedTensor);
    bag.dispose();
    list.dispose();
    expect(leaked()).toBe(0);
  });

  test("rejects only the element whose integer exceeds int32, and leaks none of its tensors", async () => {
    const dataset = fromBlocks(() => [block(1, 2 ** 31, 3)])
      .batch(1)
      .withTensors({ tf });
    const iterator = await dataset.iterator({ onElementError: "continue" });
    tf.dispose((await iterator.next()).value as never);
    await expect(iterator.next()).rejects.toMatchObject({ code: "out-of-range", tensorName: "id" });
    const third = (await iterator.next()).value;
    expect(readOut(third?.["id"] as tf.Tensor).values).toEqual([3]);
    third?.["x"]?.dispose();
    expect((await iterator.next()).done).toBe(true);
    expect(leaked()).toBe(0);
  });

  test("leaks no tensor of elements that follow a failed one and were read ahead", async () => {
    const dataset = fromBlocks(() => [block(1, 2 ** 31, 3, 4, 5)])
      .batch(1)
      .withTensors({ tf })
      .prefetch(3);
    const iterator = await dataset.iterator();
    tf.dispose((await iterator.next()).value as never);
    // The prefetch holds the failed element and the next two, which have two tensors each.
    while (leaked() < 4) await new Promise((resolve) => setImmediate(resolve));
    await expect(iterator.next()).rejects.toMatchObject({ code: "out-of-range", tensorName: "id" });
    expect(leaked()).toBe(0);
    expect(await iterator.next()).toEqual({ value: null, done: true });
  });

  test("accepts an int64 policy for all components or by path", async () => {
    const rows = fromBlocks(() => [block(2 ** 31)]).batch(1);
    const [asFloat] = await rows.withTensors({ tf, int64: "float32" }).toArray();
    expect(readOut(asFloat?.["id"] as tf.Tensor).values).toEqual([2 ** 31]);
    asFloat?.["x"]?.dispose();
    const labelled = rows.toXY({ ys: "id", keepRank: true }).withTensors({ tf, int64: { ys: "host" } });
    const [onHost] = await labelled.toArray();
    expect(onHost?.ys).toEqual(dense(BigInt64Array.of(2n ** 31n), [1], "int64"));
    tf.dispose(onHost?.xs as never);
    expect(leaked()).toBe(0);
  });

  test("rejects a value that is not TensorFlow.js, and unknown policies, at the call", () => {
    expect(() => fromItems([1]).withTensors({} as never)).toThrow("[invalid-argument] withTensors: tf");
    expect(() => fromItems([1]).withTensors({ tf, int64: "int16" as never })).toThrow(
      '[invalid-argument] withTensors: int64 must be "int32", "float32", "float32-lossy" or "host"',
    );
    expect(() => fromItems([1]).withTensors({ tf, float64: { x: "int32" as never } })).toThrow(
      '[invalid-argument] withTensors: float64 must be "float32", "float32-lossy" or "host"',
    );
  });

  test("passes on arrays of tensors, which models with several inputs accept", async () => {
    const [element] = await fromItems([1])
      .withTensors({ tf })
      .map((x) => ({ xs: [tf.add(x, 1), tf.add(x, 2)], ys: x }))
      .withTensors({ tf })
      .toArray();
    expect(leaked()).toBe(3);
    tf.dispose(element as never);
    expect(leaked()).toBe(0);
  });

  test("passes on tensors of the source as clones", async () => {
    const mine = tf.tensor1d([1, 2]);
    const [clone] = await fromItems([mine]).withTensors({ tf }).toArray();
    expect(clone).not.toBe(mine);
    expect(readOut(clone as tf.Tensor).values).toEqual([1, 2]);
    expect(mine.isDisposed).toBe(false);
    mine.dispose();
    expect(leaked()).toBe(0);
  });
});

describe("the batch operator on tensors", () => {
  test("stacks the elements into one tensor, and disposes the elements", async () => {
    const items = [tf.tensor1d([1, 2]), tf.tensor1d([3, 4])];
    const [batch] = await fromItems(items).withTensors({ tf }).batch(2).toArray();
    tf.dispose(items);
    expect(leaked()).toBe(1);
    expect(readOut(batch as tf.Tensor)).toEqual({ shape: [2, 2], dtype: "float32", values: [1, 2, 3, 4] });
  });

  test("leaks no stacked component if another component fails", async () => {
    const dataset = fromItems([
      { a: [1], b: [1] },
      { a: [2], b: [1, 2] },
    ]).withTensors({ tf });
    await expect(dataset.batch(2).toArray()).rejects.toThrow('component "b" of element 1');
    expect(leaked()).toBe(0);
  });

  test("rejects unequal shapes or a missing call of withTensors, and leaks no tensor", async () => {
    const items = [tf.tensor1d([1, 2]), tf.tensor1d([3])];
    const dataset = fromItems(items);
    await expect(dataset.withTensors({ tf }).batch(2).toArray()).rejects.toThrow(
      "element 1 is a float32 tensor of shape [1], but must be a float32 tensor of shape [2]",
    );
    await expect(dataset.batch(2).toArray()).rejects.toThrow("call withTensors({ tf }) first");
    await expect(dataset.unbatch().toArray()).rejects.toThrow(
      "unbatch: element 0 is a tensor, which unbatch can slice only after withTensors. Call withTensors({ tf })",
    );
    tf.dispose(items);
    expect(leaked()).toBe(0);
  });
});

describe("map after withTensors", () => {
  const source = (): Dataset<tf.Tensor> => fromItems([1, 2, 3]).withTensors({ tf });

  test("disposes the inputs and temporaries that are not in the output", async () => {
    const sums = await source()
      .map((x) => tf.mul(tf.add(x, 1), 2))
      .toArray();
    expect(sums.map((tensor) => readOut(tensor).values)).toEqual([[4], [6], [8]]);
    expect(leaked()).toBe(0);
    const kept = await source()
      .map((x) => ({ x, twice: tf.mul(x, 2) }))
      .toArray();
    expect(leaked()).toBe(6);
    tf.dispose(kept);
    const numbers = await source()
      .map((x) => x.dataSync()[0])
      .toArray();
    expect(numbers).toEqual([1, 2, 3]);
    expect(leaked()).toBe(0);
  });

  test("does not dispose the temporaries of an asynchronous function", async () => {
    const doubled = await source()
      .map(async (x) => {
        const twice = tf.mul(x, 2);
        await Promise.resolve();
        const result = tf.add(twice, 1);
        twice.dispose();
        return result;
      })
      .toArray();
    expect(doubled.map((tensor) => readOut(tensor).values)).toEqual([[3], [5], [7]]);
    expect(leaked()).toBe(0);
  });

  test("leaks nothing if the function throws or the pass is closed early", async () => {
    const failing = source().map((x) => {
      tf.add(x, 1);
      throw new Error("no");
    });
    await expect(failing.toArray()).rejects.toThrow("no");
    expect(leaked()).toBe(0);
    for await (const x of source()
      .shuffle(3)
      .map((tensor) => tf.add(tensor, 1))
      .prefetch(2)) {
      x.dispose();
      break;
    }
    expect(leaked()).toBe(0);
  });

  test("disposes the late result of a cancelled asynchronous function", async () => {
    let finish: () => void = () => undefined;
    const iterator = await source()
      .map(async (x) => {
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        return x.isDisposed ? tf.scalar(0) : tf.add(x, 1);
      })
      .iterator();
    const waiting = iterator.next();
    await new Promise((resolve) => setTimeout(resolve, 2));
    await iterator.close();
    expect((await waiting).done).toBe(true);
    finish();
    await new Promise((resolve) => setTimeout(resolve, 2));
    expect(leaked()).toBe(0);
  });
});

describe("a pass that is closed during an asynchronous call", () => {
  const never = (): Promise<never> => new Promise<never>(() => undefined);
  test.each<[string, (dataset: Dataset<tf.Tensor>) => Dataset<unknown>]>([
    ["map", (dataset) => dataset.map(never)],
    ["map with parallel calls", (dataset) => dataset.map(never, { parallel: 2 })],
    ["flatMap", (dataset) => dataset.flatMap(never)],
    ["filter", (dataset) => dataset.filter(never)],
    ["scan", (dataset) => dataset.scan(0, never)],
    [
      "groupByWindow",
      (dataset) => dataset.groupByWindow(never, { windowSize: 2, reduce: (_, window) => window }),
    ],
  ])("disposes the elements passed to %s", async (_, through) => {
    const iterator = await through(fromItems([1, 2, 3]).withTensors({ tf })).iterator();
    const waiting = iterator.next();
    await new Promise((resolve) => setTimeout(resolve, 5));
    await iterator.close();
    expect((await waiting).done).toBe(true);
    expect(leaked()).toBe(0);
  });
});

test("scan rejects a function that returns the state instead of a pair, and does not dispose that state", async () => {
  const initial = tf.scalar(1);
  const scanned = fromItems([1])
    .withTensors({ tf })
    .scan(initial, ((state: tf.Scalar) => state) as never);
  await expect(scanned.toArray()).rejects.toMatchObject({ code: "invalid-argument" });
  expect(initial.isDisposed).toBe(false);
  initial.dispose();
  expect(leaked()).toBe(0);
});

describe("dropped elements", () => {
  test.each<[string, (dataset: Dataset<tf.Tensor>) => Dataset<unknown>]>([
    ["filter", (dataset) => dataset.filter(() => false)],
    ["an asynchronous filter", (dataset) => dataset.filter(async () => false)],
    [
      "take of 0 elements after a failing filter",
      (dataset) => dataset.filter(() => Promise.reject(new Error("no"))).take(0),
    ],
    ["skip", (dataset) => dataset.skip(5)],
    ["batch with dropRemainder", (dataset) => dataset.batch(9, { dropRemainder: true })],
    [
      "repeat after a filter that drops all elements",
      (dataset) =>
        dataset
          .filter(() => false)
          .repeat()
          .take(1),
    ],
  ])("have their tensors disposed by %s", async (_name, apply) => {
    expect(await apply(fromItems([1, 2, 3, 4]).withTensors({ tf })).toArray()).toEqual([]);
    expect(leaked()).toBe(0);
  });

  test("have their tensors disposed if the pass is aborted while a batch fills", async () => {
    const controller = new AbortController();
    const dataset = fromItems([1, 2, 3, 4])
      .withTensors({ tf })
      .map((x) => {
        if (x.dataSync()[0] === 3) controller.abort("enough");
        return x;
      })
      .map(async (x) => x)
      .shuffle(2)
      .batch(4);
    await expect(dataset.toArray({ signal: controller.signal })).rejects.toBe("enough");
    expect(leaked()).toBe(0);
  });

  test("leak no tensor if the source fails while a batch fills", async () => {
    const dataset = fromBlocks(function* () {
      yield block(1, 2);
      throw new Error("gone");
    })
      .withTensors({ tf })
      .shuffle(2)
      .batch(4);
    await expect(dataset.toArray()).rejects.toThrow("gone");
    expect(leaked()).toBe(0);
  });
});

describe("toXY", () => {
  const batches = fromBlocks(() => [
    {
      numRows: 2,
      columns: {
        a: dense(Float32Array.of(1, 2), [2]),
        b: dense(Float32Array.of(3, 4), [2]),
        label: dense(Int32Array.of(0, 1), [2], "int32"),
        text: strings("u", "v"),
      },
    },
  ]).batch(2);

  test("selects components by name, and adds a trailing dimension to labels", async () => {
    const [element] = await batches.toXY({ xs: "a", ys: "label" }).toArray();
    expect(element).toEqual({
      xs: dense(Float32Array.of(1, 2), [2]),
      ys: dense(Int32Array.of(0, 1), [2, 1], "int32"),
    });
  });

  test("keeps the rank of labels on request", async () => {
    const [element] = await batches.toXY({ xs: "a", ys: "label", keepRank: true }).toArray();
    expect(element?.ys.shape).toEqual([2]);
  });

  test("accepts lists of names, and xs defaults to all components that are not in ys", async () => {
    const [lists] = await batches.toXY({ xs: ["b", "a"], ys: ["label"] }).toArray();
    expect(Object.keys(lists?.xs ?? {})).toEqual(["b", "a"]);
    expect(lists?.ys.label.shape).toEqual([2, 1]);
    const [rest] = await batches.toXY({ ys: "label" }).toArray();
    expect(Object.keys(rest?.xs ?? {})).toEqual(["a", "b", "text"]);
  });

  test("selects components of tuples by index", async () => {
    const pairs = fromItems([tuple([1, 2], 0), tuple([3, 4], 1)]).batch(2);
    const [element] = await pairs.toXY({ xs: 0, ys: 1 }).toArray();
    expect(element).toEqual({
      xs: dense(Float32Array.of(1, 2, 3, 4), [2, 2]),
      ys: dense(Float32Array.of(0, 1), [2, 1]),
    });
  });

  test("disposes tensors of dropped components, reshapes labels, and shares no tensor between xs and ys", async () => {
    const [element] = await batches
      .withTensors({ tf })
      .toXY({ xs: ["a", "label"], ys: "label", keepRank: true })
      .toArray();
    expect(leaked()).toBe(3);
    tf.dispose(element?.xs ?? []);
    expect(readOut(element?.ys as tf.Tensor)).toEqual({ shape: [2], dtype: "int32", values: [0, 1] });
    const [matrix] = await batches.withTensors({ tf }).toXY({ xs: "a", ys: "a" }).toArray();
    tf.dispose(matrix?.xs ?? []);
    expect(readOut(matrix?.ys as tf.Tensor)).toEqual({ shape: [2, 1], dtype: "float32", values: [1, 2] });
    expect(leaked()).toBe(0);
  });

  test("names the missing component and the existing ones", async () => {
    await expect(batches.toXY({ ys: "lable" }).toArray()).rejects.toThrow(
      '[invalid-argument] toXY: ys names "lable", but elements have these components: a, b, label, text',
    );
    await expect(fromItems([1]).toXY({ ys: 0 }).toArray()).rejects.toThrow("has no components");
    expect(leaked()).toBe(0);
  });
});

test("windows of tensors dispose their tensors when garbage-collected", async () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  const read = async (): Promise<void> => {
    const rows = fromItems([1, 2, 3, 4]).map((x) => tf.tensor1d([x]));
    for await (const window of rows.windowRows(2)) for await (const row of window) row.dispose();
  };
  await read();
  for (let turn = 0; turn < 50 && leaked() > 0; turn++) {
    collectGarbage();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  expect(leaked()).toBe(0);
});
