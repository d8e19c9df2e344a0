import { crc32 } from "node:zlib";
import { describe, expect, test } from "@jest/globals";
import { Float32, Field, List, RecordBatch, Schema, Struct, makeData, vectorFromArray } from "apache-arrow";
import { BatchDigester, checkDigests, type DecodeDigest } from "../src/decode/column-digest.js";

function batchOf(rows: (number[] | null)[]): RecordBatch {
  const type = new List(new Field("item", new Float32(), true));
  const [column] = vectorFromArray(rows, type).data;
  const schema = new Schema([new Field("x", type, true)]);
  const children = column === undefined ? [] : [column];
  return new RecordBatch(
    schema,
    makeData({ type: new Struct(schema.fields), length: rows.length, children }),
  );
}
function digestOf(...batches: (number[] | null)[][]): DecodeDigest {
  const digester = new BatchDigester({ columns: [{ name: "x", kind: "float" }] });
  for (const rows of batches) digester.add(batchOf(rows));
  return digester.digest();
}

describe("a digest", () => {
  test("counts rows, nulls, values and bytes, and computes CRCs of lengths and contents", () => {
    expect(digestOf([[1, 2], null, [], [3]])).toEqual({
      numRows: 4,
      columns: [
        {
          name: "x",
          numNulls: 1,
          numValues: 3,
          numBytes: 12,
          lengthsCrc: crc32(new Uint8Array(Int32Array.of(2, 0, 0, 1).buffer)),
          valueLengthsCrc: 0,
          valuesCrc: crc32(new Uint8Array(Float32Array.of(1, 2, 3).buffer)),
        },
      ],
    });
  });
  test("does not depend on where batches end", () => {
    expect(checkDigests(digestOf([[1, 2], null, [3]]), digestOf([[1, 2]], [null, [3]]))).toEqual([]);
  });
  test.each([
    ["a missing row", [[1], [2]], [[1]]],
    ["a different value", [[1]], [[2]]],
    ["a value in a different row", [[1, 2], []], [[1], [2]]],
    ["null instead of an empty list", [[]], [null]],
  ])("differs for %s", (_, expected, actual) => {
    expect(checkDigests(digestOf(expected), digestOf(actual))).not.toEqual([]);
  });
  test("ignores nulls if the measured library cannot distinguish null from an empty list", () => {
    const blind = (digest: DecodeDigest): DecodeDigest => ({
      ...digest,
      columns: digest.columns.map((column) => ({ ...column, numNulls: undefined })),
    });
    expect(checkDigests(digestOf([[]]), blind(digestOf([null])))).toEqual([]);
  });
});
