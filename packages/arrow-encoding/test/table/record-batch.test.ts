import { expect, test } from "@jest/globals";
import { parseSchemaText } from "@tfxio/schema";
import { RecordBatch, Table, tableFromIPC, tableToIPC } from "apache-arrow";
import { createExampleDecoder, encodeExample, takeRows } from "../../src/index.js";

const schema = parseSchemaText('feature { name: "a" type: INT } feature { name: "b" type: BYTES }');
const decoder = createExampleDecoder({ schema });
const batch = decoder.decode([
  encodeExample({ a: { kind: "int64", values: [1] }, b: { kind: "bytes", values: ["x"] } }),
  encodeExample({}),
]);

test("a decoded batch is an arrow-js RecordBatch whose schema is the decoder's schema object", () => {
  expect(batch).toBeInstanceOf(RecordBatch);
  expect(RecordBatch.isRecordBatch(batch)).toBe(true);
  expect(batch.schema).toBe(decoder.arrowSchema());
  expect(takeRows(batch, Uint32Array.of(1)).schema).toBe(batch.schema);
  expect([batch.numRows, batch.numCols, batch.nullCount]).toEqual([2, 2, 0]);
  expect(batch.metadata.size).toBe(0);
});

test("a decoded batch supports toArray, IPC, slice, select, getChild and setChild of arrow-js", () => {
  const text = (of: RecordBatch | Table): string[] => of.toArray().map(String);
  expect(text(batch)[1]).toBe('{"a": null, "b": null}');
  expect(text(tableFromIPC(tableToIPC(new Table([batch]), "stream")))).toEqual(text(batch));
  expect(text(batch.slice(1))).toEqual(text(batch).slice(1));
  expect(batch.select(["b"]).schema.names).toEqual(["b"]);
  expect(batch.getChild("a")?.get(0)?.toArray()).toEqual(BigInt64Array.of(1n));
  expect(batch.setChild("a", batch.getChild("a") as never).schema.names).toEqual(["a", "b"]);
});
