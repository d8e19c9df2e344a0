import { describe, expect, test } from "@jest/globals";
import { decodeRecords } from "@tfxio/format";
import { ColumnPath, parseSchemaText } from "@tfxio/schema";
import type { RecordBatch, Vector } from "apache-arrow";
import { pairPayload } from "./toy-lines.js";
import { utf8 } from "./sources.js";

const records = (...texts: readonly string[]): Uint8Array[] => texts.map(utf8);
const valuesOf = (batch: RecordBatch): unknown[] =>
  Array.from({ length: batch.numRows }, (_, row) => [...(batch.getChild("a")!.get(row) as Vector)]);

describe("records in memory", () => {
  test("are decoded to one batch for each call", async () => {
    const decoder = await decodeRecords(pairPayload);
    expect(decoder.arrowSchema).toBeUndefined();
    const decoded = decoder.decode(records("a=1,2", "a=3"));
    expect(valuesOf(decoded.batch)).toEqual([[1, 2], [3]]);
    expect(Object.keys(decoded)).toEqual(["batch", "numSkipped"]);
    expect(decoded.numSkipped).toBe(0);
    expect(valuesOf(decoder.decode(records("a=4")).batch)).toEqual([[4]]);
    expect(decoder.decode([]).batch.numRows).toBe(0);
  });

  test("are decoded to the given schema and the requested columns", async () => {
    const schema = parseSchemaText('feature { name: "b" type: FLOAT } feature { name: "a" type: FLOAT }');
    const decoder = await decodeRecords(pairPayload, { schema, rawRecordColumn: "raw" });
    expect(decoder.arrowSchema?.names).toEqual(["b", "a", "raw"]);
    const { batch } = decoder.decode(records("a=1 c=2"));
    expect(batch.schema.names).toEqual(["b", "a", "raw"]);
    expect(batch.getChild("raw")?.get(0)).toEqual(utf8("a=1 c=2"));
    const some = await decodeRecords(pairPayload, { schema, columns: [ColumnPath.of("a")] });
    expect(some.decode(records("a=1 b=2")).batch.schema.names).toEqual(["a"]);
    const strict = await decodeRecords(pairPayload, { schema, unlisted: "error" });
    expect(() => strict.decode(records("a=1", "c=2"))).toThrow(
      expect.objectContaining({ code: "schema-mismatch", columnPath: "c", recordIndex: 1 }),
    );
  });

  test("that are skipped as malformed leave gaps in the record indices", async () => {
    const decoder = await decodeRecords(pairPayload, { options: { onMalformed: "skip" } });
    const { batch, recordIndices, numSkipped } = decoder.decode(records("!", "a=1", "!", "a=2"));
    expect(valuesOf(batch)).toEqual([[1], [2]]);
    expect(recordIndices).toEqual(Int32Array.of(1, 3));
    expect(numSkipped).toBe(2);
    const last = decoder.decode(records("a=1", "!"));
    expect([last.recordIndices, last.numSkipped]).toEqual([Int32Array.of(0), 1]);
    const sound = decoder.decode(records("a=1"));
    expect([sound.recordIndices, sound.numSkipped]).toEqual([undefined, 0]);
    expect(decoder.decode(records("!")).recordIndices).toEqual(new Int32Array(0));
  });

  test("become the same rows wherever they lie in memory", async () => {
    const texts = Array.from(
      { length: 4_500 },
      (_, index) => `a=${index}${index % 7 === 0 ? `,${"1".repeat(60)}` : ""}`,
    );
    const apart = records(...texts);
    const buffer = new Uint8Array(apart.reduce((sum, { length }) => sum + length + 3, 0));
    let at = 0;
    const together = apart.map((record) => {
      const start = at + 3;
      buffer.set(record, start);
      at = start + record.length;
      return buffer.subarray(start, at);
    });
    const decoder = await decodeRecords(pairPayload);
    const wanted = texts.map((text) => text.slice(2).split(",").map(Number));
    for (const given of [apart, together, [...together.slice(1), apart[0]!]]) {
      const { batch, recordIndices } = decoder.decode(given);
      const rows = given.at(-1) === apart[0] ? [...wanted.slice(1), wanted[0]!] : wanted;
      expect(JSON.stringify(valuesOf(batch))).toBe(JSON.stringify(rows.map((row) => row.map(Math.fround))));
      expect(recordIndices).toBeUndefined();
    }
    expect(() => decoder.decode([...together, utf8("!")])).toThrow(
      expect.objectContaining({ code: "malformed-payload", recordIndex: texts.length, byteOffset: 0 }),
    );
  });

  test("are named in the error if they are malformed, and the decoder stays usable", async () => {
    const decoder = await decodeRecords(pairPayload);
    for (let attempt = 0; attempt < 2; attempt++) {
      expect(() => decoder.decode(records("a=1", "a=2", "!"))).toThrow(
        expect.objectContaining({ code: "malformed-payload", recordIndex: 2, byteOffset: 0 }),
      );
      expect(valuesOf(decoder.decode(records("a=3")).batch)).toEqual([[3]]);
    }
  });

  test.each<[string, unknown, string]>([
    ["a list that contains text", ["a=1"], 'records[0] must be a Uint8Array, found "a=1".'],
    ["a list that contains null", [utf8("a=1"), null], "records[1] must be a Uint8Array, found null."],
    [
      "a list that contains an array of numbers",
      [[1, 2]],
      "records[0] must be a Uint8Array, found a list of length 2.",
    ],
    [
      "a list that contains a Float32Array",
      [new Float32Array(2)],
      "records[0] must be a Uint8Array, found a Float32Array.",
    ],
    ["a value that is not a list", utf8("a=1"), "records must be a list of Uint8Arrays, found a Uint8Array."],
    ["undefined", undefined, "records must be a list of Uint8Arrays, found undefined."],
  ])("are rejected if the call passes %s", async (_, given, message) => {
    const decoder = await decodeRecords(pairPayload);
    expect(() => decoder.decode(given as Uint8Array[])).toThrow(
      expect.objectContaining({
        message: `[invalid-argument] ${message}`,
        reason: "record-type",
        argument: "records",
      }),
    );
  });

  test.each<[string, object, object]>([
    ["an unknown key", { batchSize: 1 }, { reason: "unknown-option" }],
    ["an option that the payload lacks", { options: { linesAtOnce: 1 } }, { reason: "unknown-option" }],
    ["columns that are not ColumnPaths", { columns: ["a"] }, { argument: "columns" }],
    ["a rule for unlisted columns without a schema", { unlisted: "error" }, { argument: "unlisted" }],
    ["a raw record column without a name", { rawRecordColumn: "" }, { argument: "rawRecordColumn" }],
    [
      "an unknown rule for unlisted columns",
      { unlisted: "keep" },
      { message: '[invalid-argument] decodeRecords: unlisted must be "drop" or "error", found "keep".' },
    ],
  ])("are not decoded if the request has %s", async (_, request, error) => {
    await expect(decodeRecords(pairPayload, request)).rejects.toMatchObject({
      code: "invalid-argument",
      ...error,
    });
  });

  test("cannot get a raw record column if the payload does not declare support for it", async () => {
    const { reads: _, ...bare } = pairPayload;
    await expect(decodeRecords(bare, { rawRecordColumn: "raw" })).rejects.toMatchObject({
      code: "unsupported",
      reason: "undeclared-request",
      feature: "rawRecordColumn",
    });
  });
});
