import { describe, expect, test } from "@jest/globals";
import {
  Bool,
  type Data,
  DateDay,
  DenseUnion,
  Field,
  Int64,
  makeData,
  Null,
  type RecordBatch,
  SparseUnion,
  Struct,
  Utf8,
} from "apache-arrow";
import { batchByteSize, sliceByBytes } from "../../src/index.js";
import { plainRows } from "../plain-rows.js";
import { Draw, seededRandom } from "../random.js";
import { randomBatch, randomType } from "../random-column.js";
import { batchOf, columnOf, dictionaryOf, listOf } from "../batches.js";

const sizes = (batches: readonly RecordBatch[]): number[] => batches.map(({ numRows }) => numRows);

describe("sliceByBytes", () => {
  test("puts as many rows into each slice as fit", () => {
    // Eight bytes per row.
    const ints = batchOf({
      x: columnOf(
        new Int64(),
        Array.from({ length: 10 }, (_, row) => BigInt(row)),
      ),
    });
    expect(sizes(sliceByBytes(ints, 24))).toEqual([3, 3, 3, 1]);
    expect(sizes(sliceByBytes(ints, 31))).toEqual([3, 3, 3, 1]);
    expect(sizes(sliceByBytes(ints, 32))).toEqual([4, 4, 2]);
    // Each row takes one byte per character, and four bytes of offset.
    const texts = batchOf({ x: columnOf(new Utf8(), ["a".repeat(100), "b", "c", "d".repeat(6), "e"]) });
    expect(sizes(sliceByBytes(texts, 15))).toEqual([1, 2, 2]);
  });

  test("returns the batch itself when it fits or has no rows", () => {
    const batch = batchOf({ x: columnOf(new Int64(), [1n, 2n]) });
    expect(sliceByBytes(batch, 16)).toEqual([batch]);
    expect(sliceByBytes(batch, 16)[0]).toBe(batch);
    const empty = batchOf({ x: columnOf(new Utf8(), []) });
    expect(sliceByBytes(empty, 1)[0]).toBe(empty);
    const nulls = batchOf({ x: makeData({ type: new Null(), length: 5 }) });
    expect(sliceByBytes(nulls, 1)[0]).toBe(nulls);
  });

  test("returns slices of one row if no row fits", () => {
    const batch = batchOf({ x: columnOf(new Int64(), [1n, 2n, 3n]) });
    expect(sizes(sliceByBytes(batch, 1))).toEqual([1, 1, 1]);
  });

  test("shares the buffers and the schema of the batch", () => {
    const x = columnOf(new Int64(), [1n, 2n, 3n]);
    const batch = batchOf({ x });
    for (const slice of sliceByBytes(batch, 8)) {
      expect(slice.schema).toBe(batch.schema);
      expect(slice.data.children[0]!.values.buffer).toBe(x.values.buffer);
    }
  });

  test("counts the bytes of a union's type ids, of a sparse union's children, and of a dense union's offsets", () => {
    const text = columnOf(new Utf8(), ["a".repeat(100)]);
    const numbers = columnOf(new Int64(), [1n, 2n, 3n, 4n]);
    const fields = [new Field("number", new Int64()), new Field("text", new Utf8())];
    const dense = makeData({
      type: new DenseUnion([0, 1], fields),
      length: 5,
      typeIds: Int8Array.of(0, 0, 1, 0, 0),
      valueOffsets: Int32Array.of(0, 1, 0, 2, 3),
      children: [numbers, text],
    });
    expect(sizes(sliceByBytes(batchOf({ dense }), 10))).toEqual([2, 2, 1]);
    const sparse = makeData({
      type: new SparseUnion([0], [fields[0]!]),
      length: 4,
      typeIds: Int8Array.of(0, 0, 0, 0),
      children: [numbers],
    });
    expect(sizes(sliceByBytes(batchOf({ sparse }), 18))).toEqual([2, 2]);
  });

  test("counts the bytes of dates, dictionary keys, booleans and structs", () => {
    const days = makeData({ type: new DateDay(), length: 4, data: Int32Array.of(1, 2, 3, 4) });
    expect(sizes(sliceByBytes(batchOf({ days }), 8))).toEqual([2, 2]);
    const keys = dictionaryOf(["x".repeat(1000)], [0, 0, 0, 0]);
    expect(sizes(sliceByBytes(batchOf({ keys }), 8))).toEqual([2, 2]);
    const flags = columnOf(
      new Bool(),
      Array.from({ length: 32 }, () => true),
    );
    expect(sizes(sliceByBytes(batchOf({ flags }), 2))).toEqual([16, 16]);
    const struct = columnOf(new Struct([new Field("x", listOf(new Int64()), true)]), [
      { x: [1n, 2n] },
      { x: [] },
      { x: [3n] },
    ]);
    // The rows take 20, 4 and 12 bytes: 8 bytes per value, and 4 bytes of offset.
    expect(sizes(sliceByBytes(batchOf({ struct }), 25))).toEqual([2, 1]);
  });

  test("puts each random row into exactly one slice; apart from rounding, only slices of one row exceed the limit", () => {
    for (let seed = 1; seed <= 200; seed++) {
      const draw = new Draw(seededRandom(seed));
      const whole = randomBatch(draw, { x: randomType(draw, 3), y: randomType(draw, 1) }, 1 + draw.below(30));
      const from = draw.below(whole.numRows);
      const batch = draw.oneIn(2) ? whole : whole.slice(from);
      const maxBytes = 1 + draw.below(200);
      const slices = sliceByBytes(batch, maxBytes);
      for (const [column, data] of batch.data.children.entries()) {
        const rows = slices.flatMap((slice) => plainRows(slice.data.children[column] as Data));
        expect({ seed, rows }).toEqual({ seed, rows: plainRows(data) });
      }
      // For each column, `batchByteSize` rounds bits up to bytes and counts one offset more than there are rows.
      const rounding = 100;
      for (const slice of slices) {
        if (slice.numRows > 1) expect(batchByteSize(slice)).toBeLessThan(maxBytes + rounding);
      }
    }
  });

  test.each([0, -1, Number.NaN, "8"])("rejects a limit of %p bytes", (maxBytes) => {
    const batch = batchOf({ x: columnOf(new Int64(), [1n]) });
    expect(() => sliceByBytes(batch, maxBytes as number)).toThrow(
      expect.objectContaining({ code: "invalid-argument", argument: "maxBytes" }),
    );
  });
});
