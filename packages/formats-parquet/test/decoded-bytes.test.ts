import { expect, test } from "@jest/globals";
import type { ColumnChunk } from "../src/footer/file-footer.js";
import { T, type ThriftValue } from "../src/footer/thrift.js";
import { decodedBytes } from "../src/row-groups/decoded-bytes.js";

const i32 = (value: number): ThriftValue => ({ type: T.i32, value });
const i64 = (value: number): ThriftValue => ({ type: T.i64, value });

/** Returns a chunk of 1,000 values. The field ids are those of parquet-format's `ColumnMetaData`. */
function chunk(type: number, encodedBytes: number, textBytes?: number): ColumnChunk {
  const metadata = new Map<number, ThriftValue>([
    [1, i32(type)],
    [6, i64(encodedBytes)],
  ]);
  if (textBytes !== undefined) {
    metadata.set(16, { type: T.struct, value: new Map([[1, i64(textBytes)]]) });
  }
  return { struct: new Map(), metadata, numValues: 1000, start: 0, end: 100 };
}

test.each([
  ["bools", 0, 125],
  ["int32 values", 1, 4000],
  ["int64 values", 2, 8000],
  ["int96 values (timestamps)", 3, 8000],
  ["floats", 4, 4000],
  ["doubles", 5, 8000],
  ["offsets of text", 6, 4000],
])(
  "%s are counted at their decoded size, even if a dictionary encodes them in fewer bytes",
  (_, type, expected) => {
    expect(decodedBytes(chunk(type, 100))).toBe(expected);
  },
);

test("text is counted as the number of bytes that the writer stated, plus the bytes of the offsets", () => {
  expect(decodedBytes(chunk(6, 100, 30_000))).toBe(34_000);
});

test("the count of decoded bytes is never lower than the number of encoded bytes, and impossible sizes are ignored", () => {
  expect(decodedBytes(chunk(2, 9000))).toBe(9000);
  expect(decodedBytes(chunk(7, 500))).toBe(500);
  expect(decodedBytes(chunk(99, -1, -5))).toBe(0);
});
