import { describe, expect, test } from "@jest/globals";
import { Field, FixedSizeList, Int32, LargeList, List, makeData, Utf8 } from "apache-arrow";
import { isListType, listColumn } from "../../src/index.js";

const item = new Field("item", new Int32(), true);
const child = makeData({ type: new Int32(), data: Int32Array.of(1, 2, 3, 4) });

describe("listColumn", () => {
  test("borrows the offsets of a List, which start above 0 in a slice", () => {
    const data = makeData({ type: new List(item), valueOffsets: Int32Array.of(0, 2, 2, 4), child }).slice(
      1,
      2,
    );
    const column = listColumn(data);
    expect(column).toMatchObject({ numRows: 2, rowSplits: Int32Array.of(2, 2, 4), borrowed: true });
    expect(column.rowSplits.buffer).toBe(data.valueOffsets.buffer);
    expect(column.values).toBe(child);
  });

  test("distinguishes null from empty, although their splits are equal", () => {
    const data = makeData({
      type: new List(item),
      valueOffsets: Int32Array.of(0, 2, 2, 2),
      nullCount: 1,
      nullBitmap: Uint8Array.of(0b011),
      child,
    });
    const column = listColumn(data);
    expect([0, 1, 2].map((row) => column.isNull(row))).toEqual([false, false, true]);
  });

  test("computes int32 splits for LargeList and FixedSizeList", () => {
    const large = makeData({ type: new LargeList(item), valueOffsets: BigInt64Array.of(0n, 1n, 4n), child });
    const fixed = makeData({ type: new FixedSizeList(2, item), length: 2, child });
    expect(listColumn(large)).toMatchObject({ rowSplits: Int32Array.of(0, 1, 4), borrowed: false });
    expect(listColumn(fixed)).toMatchObject({ rowSplits: Int32Array.of(0, 2, 4), borrowed: false });
  });

  test("rejects a FixedSizeList with fewer values than its rows need", () => {
    const short = makeData({ type: new FixedSizeList(3, item), length: 2, child });
    expect(() => listColumn(short)).toThrow("2 rows require 6 values, found 4");
  });
});

test("isListType recognizes the three list types", () => {
  expect([new List(item), new LargeList(item), new FixedSizeList(1, item)].map(isListType)).toEqual([
    true,
    true,
    true,
  ]);
  expect(isListType(new Utf8())).toBe(false);
});
