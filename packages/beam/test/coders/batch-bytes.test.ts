import { describe, expect, test } from "@jest/globals";
import { createExampleDecoder, encodeExample, plainRows } from "@tfxio/arrow-encoding";
import { bytes, defineSchema, float, int } from "@tfxio/schema";
import type { RecordBatch } from "apache-arrow";
import { decodeBatch, encodeBatch } from "@tfxio/beam";

const schema = defineSchema({ features: { id: int(), score: float(), name: bytes() } });
const batch = createExampleDecoder({ schema }).decode([
  encodeExample({
    id: { kind: "int64", values: [2n ** 62n] },
    score: null,
    name: { kind: "bytes", values: [] },
  }),
  encodeExample({
    id: null,
    score: { kind: "float", values: [0.5, Number.NaN] },
    name: { kind: "bytes", values: ["ä"] },
  }),
]);

describe("encodeBatch and decodeBatch", () => {
  test("keep int64 exact, and null distinct from empty", () => {
    const again = decodeBatch(encodeBatch(batch));
    expect(plainRows(again)).toEqual(plainRows(batch));
    expect(String(again.schema)).toBe(String(batch.schema));
  });

  test("accept bytes at any alignment, and copy them", () => {
    const encoded = encodeBatch(batch);
    const shifted = new Uint8Array(encoded.length + 3);
    shifted.set(encoded, 3);
    const again = decodeBatch(shifted.subarray(3));
    shifted.fill(0);
    expect(plainRows(again)).toEqual(plainRows(batch));
  });

  test("keep a batch without rows", () => {
    expect(decodeBatch(encodeBatch(batch.slice(0, 0))).numRows).toBe(0);
  });

  test.each([0, 1, 8, 100])("reject a truncated stream (length in bytes: %d)", (length) => {
    expect(() => decodeBatch(encodeBatch(batch).subarray(0, length))).toThrow("malformed-payload");
  });

  test("reject a stream without a batch", () => {
    expect(() => decodeBatch(Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0))).toThrow("found 0 batches");
  });

  test("reject a value that is not a batch", () => {
    expect(() => encodeBatch({} as RecordBatch)).toThrow("batch must be a RecordBatch");
  });
});
