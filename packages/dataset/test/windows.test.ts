import { describe, expect, test } from "@jest/globals";
import type { HostDense } from "@tfxio/tensor-adapter";
import { type Dataset, fromBlocks, fromItems, TF_WINDOW, tuple, zip } from "../src/index.js";
import { dense, strings } from "./host-columns.js";

async function read<T>(windows: Dataset<unknown>): Promise<T[][]> {
  const all = await windows.toArray();
  return Promise.all(all.map((window) => (window as Dataset<T>).toArray()));
}

/** Returns an endless dataset of the numbers from 0, and a counter of the numbers that were read. */
function counting() {
  const counter = { numRead: 0 };
  function* blocks() {
    for (;;) yield { numRows: 1, columns: { x: dense(Float32Array.of(counter.numRead++), [1]) } };
  }
  return { counter, dataset: fromBlocks(blocks, { cardinality: "infinite" }) };
}

describe("window", () => {
  const five = fromItems([0, 1, 2, 3, 4]);

  test("slides by one and yields full windows by default, as TensorFlow's RFC on windowing specifies", async () => {
    expect(await read(five.window(3))).toEqual([
      [0, 1, 2],
      [1, 2, 3],
      [2, 3, 4],
    ]);
  });

  test("with TF_WINDOW yields windows that do not overlap, including a partial last one, as in TensorFlow", async () => {
    expect(await read(five.window(2, TF_WINDOW))).toEqual([[0, 1], [2, 3], [4]]);
    expect(await read(five.window(2, "size"))).toEqual([
      [0, 1],
      [2, 3],
    ]);
  });

  test("also accepts positional parameters", async () => {
    expect(await read(five.window(2, 2, 2, false))).toEqual([[0, 2], [2, 4], [4]]);
  });

  test("yields a dataset for each component, in the structure of an element", async () => {
    const [window] = await fromItems([
      { a: 1, b: tuple("x", 10) },
      { a: 2, b: tuple("y", 20) },
    ])
      .window(2)
      .toArray();
    expect(await window?.a.toArray()).toEqual([1, 2]);
    const [text, number] = (window as { readonly b: unknown }).b as [Dataset<string>, Dataset<number>];
    expect(await text.toArray()).toEqual(["x", "y"]);
    expect(await number.toArray()).toEqual([10, 20]);
  });

  test("may be read later, and more than once", async () => {
    const windows = await five.window(2, { shift: 3 }).toArray();
    const [first] = windows;
    expect(await first?.toArray()).toEqual([0, 1]);
    expect(await first?.toArray()).toEqual([0, 1]);
    expect(first?.cardinality()).toBe(2);
  });

  test("reads an endless input only to the end of the last requested window", async () => {
    const { counter, dataset } = counting();
    const windows = await dataset.window(3, { shift: 2 }).take(2).toArray();
    expect(windows).toHaveLength(2);
    expect(counter.numRead).toBe(5);
  });

  test("of columns is a view of them, even if component datasets are batched", async () => {
    const x = dense(Float32Array.of(0, 1, 2, 3, 4, 5, 6, 7), [4, 2]);
    const source = fromBlocks(() => [{ numRows: 4, columns: { x, name: strings("a", "b", "c", "d") } }]);
    const batches = await source
      .window(2)
      .flatMap(({ x: rows, name }) => zip({ x: rows.batch(2), name: name.batch(2) }))
      .toArray();
    expect(batches).toHaveLength(3);
    const second = batches[1] as { readonly x: HostDense<"float32"> };
    expect(second.x.shape).toEqual([2, 2]);
    expect([...second.x.values]).toEqual([2, 3, 4, 5]);
    expect(second.x.values.buffer).toBe((x.values as Float32Array).buffer);
  });

  test("fails only if it contains a failed element", async () => {
    const failing = five.map((x) => {
      if (x === 3) throw new Error("three");
      return x;
    });
    const iterator = await failing
      .window(2, { shift: 1, stride: 2 })
      .iterator({ onElementError: "continue" });
    const outcomes: unknown[] = [];
    for (;;) {
      try {
        const { value, done } = await iterator.next();
        if (done === true) break;
        outcomes.push(await value.toArray());
      } catch (error) {
        outcomes.push((error as { code: string }).code);
      }
    }
    expect(outcomes).toEqual([[0, 2], "user-function", [2, 4]]);
  });

  test.each([
    [0, {}],
    [1.5, {}],
    [2, { shift: 0 }],
    [2, { stride: -1 }],
    [2 ** 40, { stride: 2 ** 40 }],
    [2, { shift: "half" }],
    [2, { overlap: 1 }],
  ])("rejects size %p with %p at the call", (size, options) => {
    expect(() => five.window(size, options as never)).toThrow(
      expect.objectContaining({ code: "invalid-argument" }),
    );
  });
});

describe("the example of TensorFlow's RFC on windowing", () => {
  test("batches one component densely and pads the other", async () => {
    const source = zip(
      tuple(
        fromItems(["a", "b", "c", "d"]),
        fromItems([[1], [2], [3], [4, 4]].map((row) => Int32Array.from(row))),
      ),
    );
    const batches = (await source
      .window(2, 2)
      .flatMap(([a, b]) => zip(tuple(a.batch(2), b.paddedBatch(2, { shapes: [2] }))))
      .toArray()) as unknown as readonly (readonly [HostDense<"string">, HostDense<"int32">])[];
    expect(
      batches.map(([text]) => text.values.toArray().map((bytes) => new TextDecoder().decode(bytes))),
    ).toEqual([
      ["a", "b"],
      ["c", "d"],
    ]);
    expect(batches.map(([, { shape, dtype, values }]) => ({ shape, dtype, values: [...values] }))).toEqual([
      { shape: [2, 2], dtype: "int32", values: [1, 0, 2, 0] },
      { shape: [2, 2], dtype: "int32", values: [3, 0, 4, 4] },
    ]);
  });
});

describe("groupByWindow", () => {
  test("yields groups as they fill, then the remaining groups by ascending key", async () => {
    const groups = fromItems([5, 2, 1, 4, 3, 7]).groupByWindow((x) => x % 3, {
      windowSize: 2,
      reduce: (key, group) =>
        group.batch(9).map((batch) => `${key}: ${[...(batch.values as Float32Array)].join()}`),
    });
    expect(await groups.toArray()).toEqual(["2: 5,2", "1: 1,4", "0: 3", "1: 7"]);
  });

  test("accepts text keys, and yields their groups in order of first occurrence", async () => {
    const groups = fromItems(["b", "a", "b2"]).groupByWindow((word) => word[0] as string, {
      windowSize: 9,
      reduce: (_key, group) => group,
    });
    expect(await groups.toArray()).toEqual(["b", "b2", "a"]);
  });

  test("names the operator if the window size function throws", async () => {
    const cause = new Error("no size");
    const groups = fromItems([1]).groupByWindow((x) => x, {
      windowSize: () => {
        throw cause;
      },
      reduce: (_key, group) => group,
    });
    await expect(groups.toArray()).rejects.toMatchObject({
      code: "user-function",
      operator: "groupByWindow",
      elementIndex: 0,
      cause,
    });
  });

  test("names the last element of a group for which the reduce function throws", async () => {
    const groups = fromItems([1, 2, 4, 3, 5]).groupByWindow((x) => x % 2, {
      windowSize: 2,
      reduce: (key, group) => {
        if (key === 0n) throw new Error("even");
        return group;
      },
    });
    await expect(groups.toArray()).rejects.toMatchObject({ operator: "groupByWindow", elementIndex: 2 });
  });

  test("rejects a key that is neither text nor an integer", async () => {
    const groups = fromItems([0.5]).groupByWindow((x) => x, {
      windowSize: 1,
      reduce: (_key, group) => group,
    });
    await expect(groups.toArray()).rejects.toMatchObject({ code: "invalid-argument" });
  });
});

describe("bucketBySequenceLength", () => {
  test("rejects padToBoundary without boundaries", () => {
    const options = { length: () => 1, boundaries: [], batchSizes: [1], padToBoundary: true };
    expect(() => fromItems([1]).bucketBySequenceLength(options)).toThrow(
      "bucketBySequenceLength: padToBoundary needs at least one boundary",
    );
  });

  test("puts a length that equals a boundary into the bucket above it", async () => {
    const rows = fromItems([[1], [1, 2], [1, 2, 3], [4]].map((row) => Float32Array.from(row)));
    const batches = rows.bucketBySequenceLength({
      length: (row) => row.length,
      boundaries: [2, 3],
      batchSizes: [2, 1, 1],
      padToBoundary: false,
    });
    // The bucket of lengths below 2 is full only after the last row, which has length 1.
    expect((await batches.toArray()).map(({ shape }) => shape)).toEqual([
      [1, 2],
      [1, 3],
      [2, 1],
    ]);
  });

  test("requires one batch size for each bucket", () => {
    expect(() =>
      fromItems([[1]]).bucketBySequenceLength({ length: () => 1, boundaries: [2], batchSizes: [1] }),
    ).toThrow("batchSizes must have length 2, one more than boundaries, found length 1.");
  });
});
