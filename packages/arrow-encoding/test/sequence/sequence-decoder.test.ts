import { describe, expect, test } from "@jest/globals";
import { ColumnPath, parseSchemaText, type Schema } from "@tfxio/schema";
import { MessageReader, Table, tableToIPC } from "apache-arrow";
import {
  createSequenceExampleDecoder,
  encodeSequenceExample,
  fromTransferable,
  type SequenceExampleParts,
  sliceBatch,
  takeRows,
  toTransferable,
} from "../../src/index.js";
import { columnsOf } from "../plain-batch.js";

const ints = (...values: number[]) => ({ kind: "int64", values }) as const;
const texts = (...values: string[]) => ({ kind: "bytes", values }) as const;
const floats = (...values: number[]) => ({ kind: "float", values }) as const;
const b64 = (text: string): { b64: string } => ({ b64: Buffer.from(text).toString("base64") });
const records = (...parts: readonly SequenceExampleParts[]): Uint8Array[] => parts.map(encodeSequenceExample);

const SCHEMA: Schema = parseSchemaText(`
  feature { name: "id" type: INT }
  feature {
    name: "##SEQUENCE##" type: STRUCT
    struct_domain { feature { name: "words" type: BYTES } feature { name: "scores" type: FLOAT } }
  }
  feature { name: "label" type: BYTES }
`);
const data = records(
  {
    context: { id: ints(1), label: texts("x"), other: floats(1) },
    featureLists: { words: [texts("a", "b"), null, texts()], scores: [], extra: [ints(1)] },
  },
  { context: { id: ints() } },
);
const words = [[[b64("a"), b64("b")], null, []], null];
const scores = [[], null];
const structs = (fields: Record<string, unknown[]>): unknown[] =>
  data.map((_, row) => Object.fromEntries(Object.entries(fields).map(([name, rows]) => [name, rows[row]])));

describe("createSequenceExampleDecoder", () => {
  test("returns the context columns in the schema's order, then the struct, then the raw records", () => {
    const decoder = createSequenceExampleDecoder({ schema: SCHEMA, rawRecordColumn: "raw" });
    const batch = decoder.decode(data);
    expect(batch.schema.names).toEqual(["id", "label", "##SEQUENCE##", "raw"]);
    expect(String(decoder.arrowSchema())).toBe(String(batch.schema));
    expect(columnsOf(batch)).toEqual({
      id: [["1"], []],
      label: [[b64("x")], null],
      "##SEQUENCE##": structs({ words, scores }),
      raw: data.map((record) => [{ b64: Buffer.from(record).toString("base64") }]),
    });
  });

  test.each([
    [[["##SEQUENCE##"]], ["##SEQUENCE##"], { words, scores }],
    [[["##SEQUENCE##", "scores"], ["label"]], ["label", "##SEQUENCE##"], { scores }],
    [[["##SEQUENCE##", "scores"], ["##SEQUENCE##"]], ["##SEQUENCE##"], { words, scores }],
    [[["id"]], ["id"], undefined],
    [[], [], undefined],
  ])("keeps only the columns %j of a schema", (paths, names, fields) => {
    const columns = paths.map((steps) => new ColumnPath(steps));
    const batch = createSequenceExampleDecoder({ schema: SCHEMA, columns }).decode(data);
    expect(batch.schema.names).toEqual(names);
    expect(columnsOf(batch)["##SEQUENCE##"]).toEqual(fields && structs(fields));
  });

  test.each([
    [[["##SEQUENCE##", "words"]], ["##SEQUENCE##"], { words }],
    [[["##SEQUENCE##", "nothing"], ["id"]], ["id", "##SEQUENCE##"], {}],
    [[["label"]], ["label"], undefined],
  ])("keeps only the columns %j if no schema is given", (paths, names, fields) => {
    const columns = paths.map((steps) => new ColumnPath(steps));
    const batch = createSequenceExampleDecoder({ columns }).decode(data);
    expect(batch.schema.names).toEqual(names);
    expect(columnsOf(batch)["##SEQUENCE##"]).toEqual(fields && structs(fields));
  });

  test.each([
    [["nothing"]],
    [["id", "words"]],
    [["##SEQUENCE##", "nothing"]],
    [["##SEQUENCE##", "words", "x"]],
  ])("rejects the unknown column %j", (steps) => {
    const columns = [new ColumnPath(steps)];
    expect(() => createSequenceExampleDecoder({ schema: SCHEMA, columns })).toThrow(
      expect.objectContaining({ code: "schema-mismatch", reason: "unknown-column" }),
    );
  });

  test("says which columns are nested, in the error for an unknown nested column", () => {
    const columns = [new ColumnPath(["id", "words"])];
    expect(() => createSequenceExampleDecoder({ schema: SCHEMA, columns })).toThrow(
      'is not in any tf.SequenceExample, because the only nested columns are the feature lists in "##SEQUENCE##".',
    );
    expect(() => createSequenceExampleDecoder({ schema: SCHEMA, columns: [new ColumnPath([])] })).toThrow(
      'The requested column "" is not in any tf.SequenceExample.',
    );
  });

  test("rejects the struct's column if the schema has no struct", () => {
    const schema = parseSchemaText(`feature { name: "id" type: INT }`);
    const columns = [ColumnPath.of("##SEQUENCE##")];
    expect(() => createSequenceExampleDecoder({ schema, columns })).toThrow(
      expect.objectContaining({ code: "schema-mismatch", reason: "unknown-column" }),
    );
  });

  test("reports the path of an unlisted feature, or of a feature list with the wrong kind, and can decode again", () => {
    const decoder = createSequenceExampleDecoder({ schema: SCHEMA, unlisted: "error" });
    expect(() => decoder.decode(records({ featureLists: { scores: [null, ints(1)] } }))).toThrow(
      expect.objectContaining({
        code: "schema-mismatch",
        reason: "wrong-kind",
        columnPath: "##SEQUENCE##.scores",
        expected: "float_list",
        actual: "int64_list",
        message: expect.stringContaining('Feature list "scores"'),
      }),
    );
    expect(() => decoder.decode(data)).toThrow(
      expect.objectContaining({ reason: "unlisted-feature", columnPath: "other" }),
    );
    expect(() =>
      decoder.decode(records({ featureLists: { extra: [null], other: [null, texts()] } })),
    ).toThrow(expect.objectContaining({ reason: "unlisted-feature", columnPath: "##SEQUENCE##.other" }));
    expect(decoder.decode(records({ featureLists: { extra: [null] } })).numRows).toBe(1);
  });

  test("reports a malformed record with its index, byte offset and message type", () => {
    const decoder = createSequenceExampleDecoder();
    expect(() => decoder.decode([Uint8Array.of(0x12, 5)])).toThrow(
      expect.objectContaining({
        code: "malformed-payload",
        recordIndex: 0,
        byteOffset: 1,
        message: expect.stringContaining("tf.SequenceExample"),
      }),
    );
  });

  test("rejects a raw record column with the struct's name, and a feature with that name if the batch has a struct", () => {
    const meeting = records({ context: { steps: ints(1) }, featureLists: {} });
    expect(() => createSequenceExampleDecoder({ sequenceColumn: "steps" }).decode(meeting)).toThrow(
      expect.objectContaining({ code: "invalid-argument", reason: "sequence-column-collision" }),
    );
    const alone = records({ context: { steps: ints(1) } });
    expect(createSequenceExampleDecoder({ sequenceColumn: "steps" }).decode(alone).schema.names).toEqual([
      "steps",
    ]);
    expect(() => createSequenceExampleDecoder({ schema: SCHEMA, rawRecordColumn: "##SEQUENCE##" })).toThrow(
      expect.objectContaining({ code: "invalid-argument", reason: "raw-column-collision" }),
    );
  });

  test("reads a record without feature lists, which has the same bytes as an Example", () => {
    const [record] = records({ context: { id: ints(7) } });
    expect(columnsOf(createSequenceExampleDecoder().decode([record!]))).toEqual({ id: [["7"]] });
  });

  test("represents 100,000 steps without a kind in less than three times the record's size", () => {
    const steps = Array.from({ length: 100_000 }, () => null);
    const [record] = records({ featureLists: { s: [...steps, ints(1)] } });
    const batch = createSequenceExampleDecoder().decode([record!]);
    expect(batch.data.byteLength).toBeLessThan(3 * record!.length);
    const field = batch.data.children[0]!.children[0]!;
    expect(field.children[0]!.nullCount).toBe(100_000);
  });
});

test("the null counts in Arrow IPC are valid for feature lists whose steps have no kind, even after a copy or transfer", () => {
  const lists = { empty: [null, null, null], none: [null] };
  const steps = records({ featureLists: lists }, {}, { featureLists: { empty: [null] } });
  const batch = createSequenceExampleDecoder().decode(steps);
  const copies = [
    batch,
    takeRows(batch, Uint32Array.of(0, 1, 2)),
    fromTransferable(toTransferable(sliceBatch(batch, 0, 3))),
  ];
  for (const copy of copies) {
    expect(nodesOf(tableToIPC(new Table([copy]), "stream"))).toEqual([
      { length: 3, nullCount: 0 },
      { length: 3, nullCount: 1 },
      { length: 4, nullCount: 4 },
      { length: 3, nullCount: 2 },
      { length: 1, nullCount: 1 },
    ]);
  }
});

/** Returns the nodes of the only record batch in an IPC stream: the sequence column, its lists and their steps. */
function nodesOf(ipc: Uint8Array): { length: number; nullCount: number }[] {
  const found: { length: number; nullCount: number }[] = [];
  const reader = new MessageReader(ipc);
  for (let message = reader.readMessage(); message !== null; message = reader.readMessage()) {
    const header = message.header();
    for (const node of "nodes" in header ? header.nodes : []) {
      found.push({ length: node.length, nullCount: node.nullCount });
    }
    reader.readMessageBody(message.bodyLength);
  }
  return found;
}
