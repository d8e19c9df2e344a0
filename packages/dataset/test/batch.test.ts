import { describe, expect, test } from "@jest/globals";
import { BytesColumn, type HostDense, type HostRagged } from "@tfxio/tensor-adapter";
import {
  batchDense,
  type ColumnBlock,
  type Dataset,
  fromBlocks,
  fromItems,
  isTuple,
  tuple,
} from "../src/index.js";
import { dense, ragged, sparse, strings } from "./host-columns.js";

async function firstBatch(items: readonly unknown[]): Promise<unknown> {
  return (await fromItems(items).batch(items.length).toArray())[0];
}

describe("batch of items", () => {
  test("gives an empty array the dtype of the other elements", async () => {
    const lists = fromItems([0, 1, 2]).map((count) => Array.from({ length: count }, () => 5n));
    const [padded] = (await lists.paddedBatch(3).toArray()) as HostDense[];
    expect(padded).toMatchObject({ dtype: "int64", shape: [3, 2] });
    expect(padded?.values).toEqual(BigInt64Array.of(0n, 0n, 5n, 0n, 5n, 5n));
    const [rows] = (await lists.raggedBatch(3).toArray()) as HostRagged[];
    expect(rows).toMatchObject({ dtype: "int64", nestedRowSplits: [Int32Array.of(0, 0, 1, 3)] });
    const [text] = (await fromItems([[[]], [["a"]]])
      .raggedBatch(2)
      .toArray()) as HostRagged[];
    expect(text?.dtype).toBe("string");
    const [booleans] = (await fromItems<unknown>([[], []]).batch(2).toArray()) as HostDense[];
    expect(booleans).toMatchObject({ dtype: "float32", shape: [2, 0] });
  });

  test("converts numbers to float32, bigints to int64, booleans to bool and text to bytes", async () => {
    expect(await firstBatch([1, 2.5])).toEqual(dense(Float32Array.of(1, 2.5), [2]));
    expect(await firstBatch([2n ** 62n, -1n])).toEqual(dense(BigInt64Array.of(2n ** 62n, -1n), [2], "int64"));
    expect(await firstBatch([true, false])).toEqual(dense(Uint8Array.of(1, 0), [2], "bool"));
    expect(await firstBatch(["ä", new Uint8Array([0xff])])).toEqual(
      dense(BytesColumn.from([new Uint8Array([0xc3, 0xa4]), new Uint8Array([0xff])]), [2], "string"),
    );
  });

  test("stacks arrays and typed arrays of equal shape", async () => {
    expect(
      await firstBatch([
        [
          [1, 2],
          [3, 4],
        ],
        [
          [5, 6],
          [7, 8],
        ],
      ]),
    ).toEqual(dense(Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8), [2, 2, 2]));
    expect(await firstBatch([Int32Array.of(1, 2), Int32Array.of(3, 4)])).toEqual(
      dense(Int32Array.of(1, 2, 3, 4), [2, 2], "int32"),
    );
    expect(await firstBatch([[], []])).toEqual(dense(new Float32Array(0), [2, 0]));
  });

  test("keeps nested dicts and tuples", async () => {
    const batch = (await firstBatch([
      { b: 1, a: tuple("x", [1, 2]) },
      { b: 2, a: tuple("y", [3, 4]) },
    ])) as { b: unknown; a: readonly unknown[] };
    expect(Object.keys(batch)).toEqual(["b", "a"]);
    expect(batch.b).toEqual(dense(Float32Array.of(1, 2), [2]));
    expect(isTuple(batch.a)).toBe(true);
    expect([...batch.a]).toEqual([strings("x", "y"), dense(Float32Array.of(1, 2, 3, 4), [2, 2])]);
  });

  test("matches dict components by key, whatever their order", async () => {
    expect(
      await firstBatch([
        { a: 1, b: 2 },
        { b: 4, a: 3 },
      ]),
    ).toEqual({
      a: dense(Float32Array.of(1, 3), [2]),
      b: dense(Float32Array.of(2, 4), [2]),
    });
  });

  test("keeps null where every element is null", async () => {
    expect(await firstBatch([{ a: null }, { a: null }])).toEqual({ a: null });
    await expect(firstBatch([null, 1])).rejects.toThrow("[invalid-argument] batch: element 1");
    await expect(firstBatch([1, null])).rejects.toThrow(
      "batch: element 1 is null, but must be dense float32 of row shape [] as in earlier elements.",
    );
  });

  test("rejects undefined as a value, alone or beside other values", async () => {
    const rejection = { code: "invalid-argument", reason: "unequal-elements" };
    for (const [items, place] of [
      [[undefined], "element 0"],
      [[null, undefined], "element 1"],
      [[{ a: 1 }, { a: undefined }], 'component "a" of element 1'],
    ] as const) {
      await expect(firstBatch(items)).rejects.toMatchObject({
        ...rejection,
        message: expect.stringContaining(`batch: ${place} is undefined, but must be a value`),
      });
    }
  });

  // A reducer receives only the values of a component, so its errors cannot name the component.
  test.each<[string, string, (mixed: Dataset<unknown>) => Dataset<unknown>]>([
    ["batch", "element 1", (mixed) => mixed.batch(2)],
    ["rebatch", "element 1", (mixed) => mixed.map((x) => [x]).rebatch(2)],
    ["batchBy", 'component "a" of element 1', (mixed) => mixed.map((a) => ({ a })).batchBy(2, {})],
    ["batchBy", "element 1", (mixed) => mixed.map((a) => ({ a })).batchBy(2, { a: batchDense() })],
    [
      "bucketBySequenceLength",
      "element 1",
      (mixed) =>
        mixed.bucketBySequenceLength({
          length: () => 1,
          boundaries: [2],
          batchSizes: [2, 2],
          noPadding: true,
        }),
    ],
  ])("with mixed types fails with an error that names %s and %s", async (operator, place, batched) => {
    const mixed = fromItems<unknown>([1, "a"]);
    await expect(batched(mixed).toArray()).rejects.toMatchObject({
      code: "invalid-argument",
      reason: "unequal-elements",
      message: expect.stringContaining(`[invalid-argument] ${operator}: ${place} is dense string`) as unknown,
    });
    await expect(mixed.reduce(batchDense())).rejects.toThrow("reduce: element 1 is dense string");
  });

  test("stacks batches into a batch with one more dimension", async () => {
    const twice = await fromItems([1, 2, 3, 4]).batch(2).batch(2).toArray();
    expect(twice).toEqual([dense(Float32Array.of(1, 2, 3, 4), [2, 2])]);
  });

  test.each([
    [
      "vectors of different lengths",
      [{ v: [1] }, { v: [1, 2] }],
      'component "v" of element 1 is dense float32 of row shape [2], but must be dense float32 of row shape [1]',
    ],
    ["values of different types", [1, "a"], "element 1 is dense string"],
    [
      "elements of different structures",
      [{ a: 1 }, tuple(1)],
      "element 1 is a tuple of length 1, but must be a dict of {a}",
    ],
    [
      "a missing key",
      [
        { a: 1, b: 2 },
        { a: 1, c: 2 },
      ],
      "element 1 is a dict of {a, c}",
    ],
    ["a nested array that is not a rectangle", [[[1, 2], [3], [4, 5, 6]]], "must be rectangular"],
    ["an array with values of several types", [[1, "a"]], "several types"],
    [
      "a function",
      [() => 1],
      "is a function, but must be a scalar, an array of scalars, a host column or a tensor",
    ],
    ["an array of objects", [[{ a: 1 }]], 'is an array that contains an object with the key "a"'],
  ])("rejects %s", async (_what, items, message) => {
    const error: unknown = await fromItems<unknown>(items)
      .batch(items.length)
      .toArray()
      .catch((e: unknown) => e);
    expect(error).toMatchObject({ code: "invalid-argument", reason: "unequal-elements" });
    expect(String(error)).toContain(message);
  });

  describe.each<[string, unknown, string]>([
    ["is not a rectangle", [[1, 2], [3]], "must be rectangular: its first items imply shape [2, 2]"],
    ["has values of several types", [1, "a"], "is an array with values of several types"],
    [
      "has a bigint beyond int64",
      [2n ** 63n],
      "must fit int64 (-2^63 to 2^63 - 1), found 9223372036854775808",
    ],
  ])("with an array that %s", (_problem, wrong, message) => {
    // The good elements differ, because `unique` drops repeated ones.
    const items = (bad: unknown): Dataset<unknown> =>
      fromItems<unknown>([1, 2, 3].map((n) => (n < 3 ? [n] : bad)));
    const dicts = (bad: unknown): Dataset<unknown> => items(bad).map((value) => ({ a: { b: value } }));

    test.each<[string, (dataset: Dataset<unknown>) => Dataset<unknown>]>([
      ["batch", (dataset) => dataset.batch(3)],
      ["paddedBatch", (dataset) => dataset.paddedBatch(3)],
      ["sparseBatch", (dataset) => dataset.sparseBatch(3, [null])],
      ["unbatch", (dataset) => dataset.unbatch()],
      ["unique", (dataset) => dataset.unique()],
      ["withTensors", (dataset) => dataset.withTensors({ tf: { tensor: () => ({}) } as never })],
    ])("makes %s fail with an error that names the element and the component", async (operator, apply) => {
      await expect(apply(items(wrong)).toArray()).rejects.toThrow(`] ${operator}: element 2 ${message}`);
      const ofComponent = `] ${operator}: component "a.b" of element 2 ${message}`;
      await expect(apply(dicts(wrong)).toArray()).rejects.toThrow(ofComponent);
    });
  });

  test("unbatch and paddedBatch reject an array of values that are not scalars, and name one of those values", async () => {
    const items = fromItems<unknown>([[[null], [null]]]);
    await expect(items.unbatch().toArray()).rejects.toThrow(
      "unbatch: element 0 is an array that contains null, but must be an array of scalars, a host column or a dense tensor.",
    );
    await expect(items.paddedBatch(1).toArray()).rejects.toThrow(
      "paddedBatch: element 0 is an array that contains null, but must be a scalar, an array of scalars or a host column.",
    );
  });

  test("rejects a bigint beyond int64", async () => {
    await expect(firstBatch([2n ** 63n])).rejects.toThrow("[out-of-range]");
  });

  test("counts element indices across batches", async () => {
    await expect(fromItems<unknown>([1, 2, 3, "x"]).batch(2).toArray()).rejects.toThrow("element 3");
  });

  test("drops a small last batch only if dropRemainder is true or tfjs's smallLastBatch is false", async () => {
    const items = fromItems([1, 2, 3]);
    expect(await items.batch(2, { dropRemainder: true }).toArray()).toHaveLength(1);
    expect(await items.batch(2, false).toArray()).toHaveLength(1);
    expect(await items.batch(2, true).toArray()).toHaveLength(2);
    expect(await items.batch(2).toArray()).toHaveLength(2);
  });
});

describe("batch of column blocks", () => {
  const columns = (from: number, to: number): ColumnBlock => {
    const rows = Array.from({ length: to - from }, (_, i) => from + i);
    return {
      numRows: rows.length,
      columns: {
        id: dense(BigInt64Array.from(rows, BigInt), [rows.length], "int64"),
        bag: sparse(
          rows.map((row) => [[row, row]]),
          9,
        ),
        list: ragged(rows.map((row) => (row % 2 === 0 ? [] : [row]))),
      },
    };
  };

  test("joins rows of several blocks column by column", async () => {
    const batches = await fromBlocks(() => [columns(0, 2), columns(2, 5)])
      .batch(3)
      .toArray();
    expect(batches).toEqual([columns(0, 3).columns, columns(3, 5).columns]);
  });

  test("yields a block unchanged if it already is a batch", async () => {
    const block = columns(0, 4);
    const [batch] = await fromBlocks(() => [block])
      .batch(4)
      .toArray();
    expect(batch).toBe(block.columns);
  });

  test("restores columns from rows that passed through a function", async () => {
    const source = fromBlocks(() => [columns(0, 3), columns(3, 4)]).map(({ id, bag }) => ({ id, bag }));
    const { id, bag } = columns(0, 4).columns;
    expect(await source.batch(4).toArray()).toEqual([{ id, bag }]);
  });

  test("keeps the columns of filtered rows", async () => {
    const even = fromBlocks(() => [columns(0, 5)]).filter(({ id }) => (id as bigint) % 2n === 0n);
    const [batch] = await even.batch(3).toArray();
    expect(batch?.["id"]).toEqual(dense(BigInt64Array.of(0n, 2n, 4n), [3], "int64"));
    expect(batch?.["list"]).toEqual(ragged([[], [], []]));
  });

  test("rejects a batch whose blocks have different components", async () => {
    const other = { numRows: 1, columns: { id: dense(Float32Array.of(1), [1]) } };
    const iterator = await fromBlocks(() => [columns(0, 1), other])
      .batch(2)
      .iterator();
    await expect(iterator.next()).rejects.toThrow(
      "[shape-mismatch] Found components [id] after [id, bag, list], but all blocks",
    );
    expect(await iterator.next()).toEqual({ value: null, done: true });
  });
});

describe("rebatch with size 0", () => {
  const failing = (): Dataset<readonly number[]> =>
    fromItems([[1, 2], [3]]).map((rows) => {
      if (rows.length === 2) throw new Error("no");
      return rows;
    });

  test("reports the first element's error before the empty batch, which takes its structure from a later element", async () => {
    const iterator = await failing().rebatch([0, 1]).iterator({ onElementError: "continue" });
    await expect(iterator.next()).rejects.toMatchObject({ code: "user-function" });
    const { value } = await iterator.next();
    expect(value).toMatchObject({ kind: "dense", shape: [0] });
  });
});
