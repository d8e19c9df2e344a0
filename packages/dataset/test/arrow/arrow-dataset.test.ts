import { beforeAll, describe, expect, test } from "@jest/globals";
import * as tf from "@tensorflow/tfjs-core";
import "@tensorflow/tfjs-backend-cpu";
import { arrow } from "@tfxio/formats-arrow";
import type { HostDense, HostRagged } from "@tfxio/tensor-adapter";
import { memoryTarget } from "@tfxio/wire";
import {
  Bool,
  Dictionary,
  Field,
  Float16,
  Float32,
  Int8,
  Int32,
  Int64,
  List,
  makeData,
  makeVector,
  type RecordBatch,
  Schema as ArrowSchema,
  Table,
  TimestampMillisecond,
  Utf8,
  type Vector,
  vectorFromArray,
} from "apache-arrow";
import { ArrowDataset, ArrowFeatherDataset } from "../../src/arrow/index.js";
import { isTuple } from "../../src/index.js";

const table = new Table({
  id: vectorFromArray([1n, 2n, 3n], new Int64()),
  score: vectorFromArray([0.5, 1.5, 2.5], new Float32()),
  word: vectorFromArray(["a", "é", "c"], new Utf8()),
  good: vectorFromArray([true, false, true], new Bool()),
  pair: vectorFromArray(
    [
      [1, 2],
      [3, 4],
      [5, 6],
    ],
    new List(new Field("item", new Int32(), true)),
  ),
});
const withNulls = new Table({
  x: vectorFromArray([1, null, 3], new Int32()),
  word: vectorFromArray(["a", "b", null], new Utf8()),
});

const text = (value: unknown): string => new TextDecoder().decode(value as Uint8Array);
const numbers = (column: unknown): unknown[] => [...((column as HostDense).values as Int32Array)];

describe("an Arrow dataset", () => {
  test("yields a tuple for each row, in column order", async () => {
    const rows = await ArrowDataset.fromTable(table).toArray();
    expect(rows).toHaveLength(3);
    const [id, score, word, good, pair] = rows[1] as readonly unknown[];
    expect(isTuple(rows[1])).toBe(true);
    expect([id, score, text(word), good, numbers(pair)]).toEqual([2n, 1.5, "é", false, [3, 4]]);
  });

  test("checks columns against the table's schema even if the option arrowSchema is undefined", () => {
    const options = { arrowSchema: undefined, columns: ["no such column"] };
    expect(() => ArrowDataset.fromTable(table, options)).toThrow(
      expect.objectContaining({ code: "invalid-argument", argument: "columns" }),
    );
  });

  test("yields dicts on request, and only the columns selected by name or index", async () => {
    const rows = ArrowDataset.fromTable(table, { columns: ["good", 0], as: "dict" });
    expect(await rows.toArray()).toEqual([
      { good: true, id: 1n },
      { good: false, id: 2n },
      { good: true, id: 3n },
    ]);
  });

  test("yields views for a batch that lies within one record batch", async () => {
    const batches = (await ArrowDataset.fromTable(table, { batchSize: 2, as: "dict" }).toArray()) as {
      score: HostDense<"float32">;
      pair: HostDense;
    }[];
    expect(batches.map(({ score }) => [...score.values])).toEqual([[0.5, 1.5], [2.5]]);
    const stored = table.batches[0]?.data.children[1] as { readonly values: Float32Array };
    expect(batches[0]?.score.values.buffer).toBe(stored.values.buffer);
    expect(batches.map(({ pair }) => pair.shape)).toEqual([
      [2, 2],
      [1, 2],
    ]);
  });

  test("yields record batches of the selected columns", async () => {
    const options = { columns: ["word"], as: "recordBatch", batchSize: 2 } as const;
    const batches = (await ArrowDataset.fromTable(table, options).toArray()) as RecordBatch[];
    expect(batches.map((batch) => batch.toArray().map(({ word }) => word))).toEqual([["a", "é"], ["c"]]);
  });

  test("yields batches that withTensors converts to tensors, with int64 as int32", async () => {
    tf.env().set("IS_TEST", true);
    await tf.setBackend("cpu");
    const before = tf.memory().numTensors;
    const [batch] = await ArrowDataset.fromTable(table, {
      columns: ["score", "good", "pair", "id"],
      batchSize: 3,
    })
      .withTensors({ tf })
      .toArray();
    const tensors = batch as readonly tf.Tensor[];
    expect(tensors.map(({ dtype, shape }) => [dtype, shape])).toEqual([
      ["float32", [3]],
      ["bool", [3]],
      ["int32", [3, 2]],
      ["int32", [3]],
    ]);
    tensors.forEach((tensor) => tensor.dispose());
    expect(tf.memory().numTensors).toBe(before);
  });
});

describe("nulls", () => {
  test("fail their row by default, with an error that names the column, the row and the `nulls` option", async () => {
    const rows = ArrowDataset.fromTable(withNulls, { columns: ["x"] });
    await expect(rows.toArray()).rejects.toMatchObject({
      code: "not-convertible",
      reason: "nulls",
      columnPath: "x",
      row: 1,
      message: expect.stringContaining('nulls: "mask"'),
    });
    expect(await rows.ignoreErrors().toArray()).toEqual([[1], [3]]);
  });

  test("are filled with one value, or with one for each column", async () => {
    const fill = { x: -1, word: "?" };
    const [batch] = (await ArrowDataset.fromTable(withNulls, {
      nulls: { fill },
      batchSize: 3,
      as: "dict",
    }).toArray()) as {
      x: HostDense;
      word: HostDense<"string">;
    }[];
    expect(numbers(batch?.x)).toEqual([1, -1, 3]);
    expect(batch?.word.values.toArray().map(text)).toEqual(["a", "b", "?"]);
    const one = ArrowDataset.fromTable(withNulls, { nulls: { fill: 7 }, columns: ["x"] });
    expect(await one.toArray()).toEqual([[1], [7], [3]]);
    const none = ArrowDataset.fromTable(withNulls, { nulls: { fill: { x: 1 } } });
    await expect(none.toArray()).rejects.toThrow(/fill must have a value for column "word"/);
  });

  test.each<[object, string]>([
    [{ x: "a" }, 'nulls: fill for column "x" must fit int32, found "a"'],
    [{ word: 5 }, 'nulls: fill for column "word" must fit string, found 5'],
    [{ y: 1 }, 'nulls: fill must name only selected columns (x, word), found "y"'],
    [
      { x: [1] },
      'nulls: fill for column "x" must be a number, bigint, boolean, string or Uint8Array, found a list of length 1',
    ],
  ])("are filled only with values that fit their columns: the call rejects %p", (fill, message) => {
    const open = () =>
      ArrowDataset.fromTable(withNulls, { nulls: { fill: fill as never }, columns: ["x", "word"] });
    expect(open).toThrow(`[invalid-argument] ${message}`);
    expect(open).toThrow(expect.objectContaining({ argument: "nulls" }));
    const all = () => ArrowDataset.fromTable(withNulls, { nulls: { fill: "a" }, columns: ["x"] });
    expect(all).toThrow(
      '[invalid-argument] nulls: fill must fit at least one dtype of the selected columns (int32), found "a"',
    );
  });

  test("are marked by a mask", async () => {
    const [batch] = (await ArrowDataset.fromTable(withNulls, {
      nulls: "mask",
      batchSize: 3,
      as: "dict",
    }).toArray()) as {
      x_mask: HostDense;
      word_mask: HostDense;
    }[];
    expect(batch?.x_mask.dtype).toBe("bool");
    expect([numbers(batch?.x_mask), numbers(batch?.word_mask)]).toEqual([
      [1, 0, 1],
      [1, 1, 0],
    ]);
  });
});

describe("dictionary columns", () => {
  const dictionary = (entries: Vector): Table => {
    const type = new Dictionary(entries.type, new Int8());
    return new Table({ v: makeVector(makeData({ type, data: Int8Array.of(1, 0), dictionary: entries })) });
  };

  test("have a null where the entry of the dictionary is null", async () => {
    const rows = dictionary(vectorFromArray([5, null], new Int32()));
    const read = async (nulls: "mask" | { readonly fill: number }): Promise<Record<string, unknown>> => {
      const batches = await ArrowDataset.fromTable(rows, { nulls, batchSize: 2, as: "dict" }).toArray();
      return batches[0] as Record<string, unknown>;
    };
    expect(numbers((await read("mask"))["v_mask"])).toEqual([0, 1]);
    expect(numbers((await read({ fill: 7 }))["v"])).toEqual([7, 5]);
  });

  test("of booleans and half floats have the values of their entries", async () => {
    const bools = dictionary(vectorFromArray([true, false], new Bool()));
    expect(await ArrowDataset.fromTable(bools).toArray()).toEqual([[false], [true]]);
    const halves = makeVector(makeData({ type: new Float16(), data: Uint16Array.of(0x3e00, 0xfc00) }));
    expect(await ArrowDataset.fromTable(dictionary(halves)).toArray()).toEqual([[-Infinity], [1.5]]);
  });
});

describe("lists", () => {
  const lists = new Table({
    l: vectorFromArray([[1], [2, 3], []], new List(new Field("item", new Int32(), true))),
  });

  test("of unequal length become one vector per row if rows are not batched", async () => {
    const rows = (await ArrowDataset.fromTable(lists).toArray()) as (readonly [unknown])[];
    expect(rows.map(([l]) => numbers(l))).toEqual([[1], [2, 3], []]);
  });

  test("of unequal length are rejected in a batch, or make the batch ragged on request", async () => {
    await expect(ArrowDataset.fromTable(lists, { batchSize: 3 }).toArray()).rejects.toMatchObject({
      code: "shape-mismatch",
      reason: "ragged-lists",
      columnPath: "l",
      row: 1,
    });
    const [batch] = (await ArrowDataset.fromTable(lists, {
      batchMode: "auto",
      lists: "ragged",
    }).toArray()) as (readonly [HostRagged])[];
    expect(batch?.[0].nestedRowSplits).toEqual([Int32Array.of(0, 1, 3, 3)]);
  });
});

describe("record batches", () => {
  test("from a function are requested again for each pass, but those from an iterator can be read only once", async () => {
    const again = ArrowDataset.fromRecordBatches(() => table.batches, { columns: ["id"] });
    expect(await again.repeat(2).toArray()).toHaveLength(6);
    const once = ArrowDataset.fromRecordBatches(table.batches[Symbol.iterator](), { columns: ["id"] });
    expect(await once.toArray()).toHaveLength(3);
    await expect(once.toArray()).rejects.toMatchObject({
      code: "invalid-argument",
      reason: "not-reiterable",
    });
  });

  test("with a different schema are rejected after the rows before them are yielded", async () => {
    const mixed = ArrowDataset.fromRecordBatches(() => [...table.batches, ...withNulls.batches], {
      columns: [0],
    });
    const rows: unknown[] = [];
    const read = async (): Promise<void> => {
      for await (const row of mixed) rows.push(row);
    };
    await expect(read()).rejects.toMatchObject({ code: "schema-mismatch", reason: "type-mismatch" });
    expect(rows).toHaveLength(3);
  });
});

describe("the call that creates an Arrow dataset", () => {
  test.each([
    [{ columns: [] }],
    [{ columns: [9] }],
    [{ columns: ["nothing"] }],
    [{ batchSize: 0 }],
    [{ batchMode: "most" }],
    [{ outputTypes: ["int64"] }],
    [{ as: "dict", columns: ["id", "id"] }],
    [{ nulls: "ignore" }],
    [{ colums: [0] }],
  ])("rejects the options %j", (options) => {
    expect(() => ArrowDataset.fromTable(table, options as never)).toThrow(
      expect.objectContaining({ code: "invalid-argument" }),
    );
  });

  test("rejects a column type without a tensor form, an array in place of a table, a number in place of batches, and an empty list of files", () => {
    const times = new Table({ at: vectorFromArray([new Date(0)], new TimestampMillisecond()) });
    expect(() => ArrowDataset.fromTable(times)).toThrow(/Column "at" is Timestamp/);
    expect(() => ArrowDataset.fromTable([] as never)).toThrow(/table must be an Arrow table/);
    expect(() => ArrowDataset.fromRecordBatches(5 as never)).toThrow(
      /batches must be an iterable of record batches/,
    );
    expect(() => new ArrowFeatherDataset([])).toThrow(/files must name at least one file/);
  });
});

describe("files", () => {
  let file: Uint8Array;
  beforeAll(async () => {
    const target = memoryTarget("rows.feather");
    const arrowSchema: ArrowSchema = table.schema;
    const writer = await arrow.createWriter(target, { arrowSchema });
    for (const batch of [table.batches[0] as RecordBatch, (table.batches[0] as RecordBatch).slice(0, 1)]) {
      await writer.write(batch);
    }
    await writer.finish();
    await target.commit();
    file = target.bytes();
  });

  test("are read one after the other in every pass", async () => {
    const rows = new ArrowFeatherDataset([file, file], { columns: ["id"] });
    expect(await rows.toArray()).toEqual([1n, 2n, 3n, 1n, 1n, 2n, 3n, 1n].map((id) => [id]));
    expect(await rows.batch(3).toArray()).toHaveLength(3);
  });

  test('yield one element for each stored batch if batchMode is "auto"', async () => {
    const batches = (await new ArrowFeatherDataset(file, {
      columns: ["id"],
      batchMode: "auto",
    }).toArray()) as (readonly [HostDense])[];
    expect(batches.map(([id]) => id.shape)).toEqual([[3], [1]]);
  });

  test("fail the pass with the code truncated-record if they are truncated", async () => {
    const cut = new ArrowFeatherDataset(file.slice(0, -20));
    await expect(cut.toArray()).rejects.toMatchObject({ code: "truncated-record" });
  });
});
