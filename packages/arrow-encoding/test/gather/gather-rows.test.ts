import { describe, expect, test } from "@jest/globals";
import {
  Bool,
  Dictionary,
  Field,
  FixedSizeList,
  Float32,
  Int32,
  Int64,
  Null,
  RecordBatch,
  Schema as ArrowSchema,
  Struct,
  Utf8,
} from "apache-arrow";
import { concatBatches, gatherRows, takeRows } from "../../src/gather/gather-rows.js";
import { batchOf, batchWith, itemOf, listOf } from "../batches.js";

const rowsOf = (batch: RecordBatch): unknown[] =>
  JSON.parse(JSON.stringify(batch.toArray(), (_k, v) => (typeof v === "bigint" ? `${v}n` : v)));

const everyType = (): RecordBatch =>
  batchOf({
    int: [new Int32(), [1, null, 3, 4]],
    flag: [new Bool(), [true, false, null, true]],
    text: [new Utf8(), ["a", "", null, "déjà"]],
    ids: [listOf(new Int64()), [[1n, 2n], null, [], [-3n]]],
    nested: [listOf(listOf(new Float32())), [[[1, 2], []], [], null, [[3]]]],
    pair: [new FixedSizeList(2, itemOf(new Int32())), [[1, 2], [3, 4], null, [7, 8]]],
    point: [
      new Struct([new Field("x", new Int32(), true), new Field("t", listOf(new Utf8()), true)]),
      [{ x: 1, t: ["p"] }, { x: null, t: null }, null, { x: 4, t: [] }],
    ],
  });

describe("takeRows", () => {
  test("returns the requested rows in the requested order, including repeats, for flat, list and struct columns", () => {
    const batch = everyType();
    const all = rowsOf(batch);
    const taken = takeRows(batch, Uint32Array.of(3, 0, 0, 2, 1));
    expect(rowsOf(taken)).toEqual([all[3], all[0], all[0], all[2], all[1]]);
  });

  test("counts row numbers from the start of a sliced batch", () => {
    const all = rowsOf(everyType());
    const sliced = everyType().slice(1, 4);
    expect(rowsOf(takeRows(sliced, Uint32Array.of(2, 0)))).toEqual([all[3], all[1]]);
  });

  test("returns an empty batch with the batch's schema if no rows are requested", () => {
    const batch = everyType();
    const taken = takeRows(batch, new Uint32Array(0));
    expect(taken.numRows).toBe(0);
    expect(taken.schema.fields.map(String)).toEqual(batch.schema.fields.map(String));
  });

  test("starts the offsets at 0 and keeps only the values of the requested rows", () => {
    const taken = takeRows(everyType(), Uint32Array.of(3));
    const ids = taken.getChild("ids")?.data[0];
    expect(Array.from((ids?.valueOffsets ?? []) as Int32Array)).toEqual([0, 1]);
    expect(Array.from((ids?.children[0]?.values ?? []) as BigInt64Array)).toEqual([-3n]);
  });
});

describe("gatherRows", () => {
  test("interleaves ranges of rows from several batches", () => {
    const a = batchOf({ x: [new Int32(), [0, 1, null]] });
    const b = batchOf({ x: [new Int32(), [10, 11, 12]] });
    const ranges = {
      count: 3,
      source: Uint32Array.of(1, 0, 1),
      start: Uint32Array.of(1, 1, 0),
      end: Uint32Array.of(3, 3, 1),
    };
    expect(rowsOf(gatherRows([a, b], a.schema, ranges))).toEqual([11, 12, 1, null, 10].map((x) => ({ x })));
  });

  test("returns as many rows of a Null column as are requested", () => {
    const batch = batchOf({ n: [new Null(), [null, null]] });
    expect(takeRows(batch, Uint32Array.of(1, 0, 1)).getChild("n")?.length).toBe(3);
  });

  test("gathers rows that share a dictionary, and rejects batches with different dictionaries", () => {
    const type = new Dictionary(new Utf8(), new Int32());
    const a = batchOf({ d: [type, ["x", "y", "x"]] });
    expect(rowsOf(takeRows(a, Uint32Array.of(1, 2)))).toEqual([{ d: "y" }, { d: "x" }]);
    const b = batchOf({ d: [type, ["z"]] });
    expect(() => concatBatches([a, b], a.schema)).toThrow(expect.objectContaining({ code: "unsupported" }));
  });
});

describe("concatBatches", () => {
  test("restores a batch from its slices", () => {
    const batch = everyType();
    const parts = [batch.slice(0, 1), batch.slice(1, 3), batch.slice(3, 4)];
    expect(rowsOf(concatBatches(parts, batch.schema))).toEqual(rowsOf(batch));
  });

  test("adds the row counts of batches without columns", () => {
    const schema = new ArrowSchema([]);
    expect(concatBatches([batchWith([], [], 2), batchWith([], [], 3)], schema).numRows).toBe(5);
  });
});
