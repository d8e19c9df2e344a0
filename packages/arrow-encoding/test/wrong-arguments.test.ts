import { expect, test } from "@jest/globals";
import { ColumnPath, parseSchemaText } from "@tfxio/schema";
import { isTfxioError } from "@tfxio/wire";
import type { Data, RecordBatch } from "apache-arrow";
import * as api from "../src/index.js";

const schema = parseSchemaText('feature { name: "x" type: INT }');
const batch = api.createExampleDecoder().decode([api.encodeExample({ x: { kind: "int64", values: [1] } })]);
const data = batch.data.children[0] as Data;
/** Values that a caller without type checking may pass. The last one is a Vector. */
const wrong: readonly unknown[] = [undefined, null, 7, "abc", [null], {}, batch.getChildAt(0)];

type Call = (value: never) => unknown;
const calls: Readonly<Record<string, readonly [Call, allowed?: readonly unknown[]]>> = {
  "createExampleDecoder(options)": [api.createExampleDecoder, [undefined, wrong[5]]],
  "createExampleDecoder({ schema })": [(value) => api.createExampleDecoder({ schema: value }), [undefined]],
  "createExampleDecoder({ columns })": [(value) => api.createExampleDecoder({ columns: value }), [undefined]],
  "createExampleDecoder({ rawRecordColumn })": [
    (value) => api.createExampleDecoder({ rawRecordColumn: value }),
    [undefined, "abc"],
  ],
  "createExampleDecoder({ kernels })": [(value) => api.createExampleDecoder({ kernels: value }), [undefined]],
  "createExampleDecoder({ listType })": [
    (value) => api.createExampleDecoder({ schema, listType: value }),
    [undefined],
  ],
  "createExampleDecoder({ onMalformed })": [
    (value) => api.createExampleDecoder({ onMalformed: value }),
    [undefined],
  ],
  "createExampleDecoder({ unlisted })": [
    (value) => api.createExampleDecoder({ schema, unlisted: value }),
    [undefined],
  ],
  "createSequenceExampleDecoder(options)": [api.createSequenceExampleDecoder, [undefined, wrong[5]]],
  "createSequenceExampleDecoder({ sequenceColumn })": [
    (value) => api.createSequenceExampleDecoder({ sequenceColumn: value }),
    [undefined, "abc"],
  ],
  "createExampleEncoder(options)": [api.createExampleEncoder, [undefined, wrong[5]]],
  "createExampleEncoder({ schema })": [(value) => api.createExampleEncoder({ schema: value }), [undefined]],
  "createSequenceExampleEncoder(options)": [api.createSequenceExampleEncoder, [undefined, wrong[5]]],
  "createSequenceExampleEncoder({ sequenceColumn })": [
    (value) => api.createSequenceExampleEncoder({ sequenceColumn: value }),
    [undefined, "abc"],
  ],
  "decoder.decode": [(value) => api.createExampleDecoder().decode(value)],
  "decoder.push": [(value) => api.createExampleDecoder().push(value, 0, { maxRows: 1, maxBytes: 1 })],
  "decoder.pushFramed": [
    (value) =>
      api
        .createExampleDecoder()
        .pushFramed(value, 0, { maxRows: 1, maxBytes: 1 }, { verifyPayload: true, maxRecordBytes: 1 }),
  ],
  "encoder.encode": [(value) => api.createExampleEncoder().encode(value)],
  "sequenceEncoder.encode": [(value) => api.createSequenceExampleEncoder().encode(value)],
  encodeExample: [api.encodeExample, [wrong[5]]],
  "encodeExample({ a })": [(value) => api.encodeExample({ a: value }), [null]],
  "encodeExample({ a: { values } })": [(value) => api.encodeExample({ a: { kind: "bytes", values: value } })],
  encodeSequenceExample: [api.encodeSequenceExample, [wrong[5]]],
  "encodeSequenceExample({ context })": [
    (value) => api.encodeSequenceExample({ context: value }),
    [undefined, wrong[5]],
  ],
  "encodeSequenceExample({ featureLists })": [
    (value) => api.encodeSequenceExample({ featureLists: value }),
    [undefined, wrong[5]],
  ],
  "encodeSequenceExample({ featureLists: { s } })": [
    (value) => api.encodeSequenceExample({ featureLists: { s: value } }),
    [wrong[4]],
  ],
  BytesColumn: [(value) => new api.BytesColumn(value, new Int32Array(1))],
  "BytesColumn(data, offsets)": [(value) => new api.BytesColumn(new Uint8Array(0), value)],
  "BytesColumn.from": [(value) => api.BytesColumn.from(value)],
  batchByteSize: [api.batchByteSize],
  "batchByteSize(batch, options)": [(value) => api.batchByteSize(batch, value), [undefined, wrong[5]]],
  binaryByteSize: [api.binaryByteSize],
  byteSize: [api.byteSize],
  canonicalBatch: [api.canonicalBatch],
  "canonicalBatch(batch, options)": [(value) => api.canonicalBatch(batch, value), [undefined, wrong[5]]],
  columnAtPath: [(value) => api.columnAtPath(value, ColumnPath.of("x"))],
  "columnAtPath(batch, path)": [(value) => api.columnAtPath(batch, value)],
  "columnAtPath(batch, path, options)": [
    (value) => api.columnAtPath(batch, ColumnPath.of("x"), value),
    [undefined, wrong[5]],
  ],
  columnElements: [api.columnElements],
  columnsByPath: [api.columnsByPath],
  "columnsByPath(batch, options)": [(value) => api.columnsByPath(batch, value), [undefined, wrong[5]]],
  concatBatches: [(value) => api.concatBatches(value, batch.schema)],
  "concatBatches(batches, schema)": [(value) => api.concatBatches([batch], value)],
  countInvalidUtf8: [api.countInvalidUtf8],
  elementLengths: [api.elementLengths],
  fieldElements: [(value) => api.fieldElements(value, "x")],
  fillNullLists: [(value) => api.fillNullLists(value, data)],
  "fillNullLists(data, fill)": [(value) => api.fillNullLists(data, value)],
  filterRows: [(value) => api.filterRows(value, new Uint8Array(1))],
  "filterRows(batch, mask)": [(value) => api.filterRows(batch, value)],
  firstNull: [api.firstNull],
  flatValues: [api.flatValues],
  flattenNested: [api.flattenNested],
  fromTransferable: [api.fromTransferable],
  "fromTransferable(transferable, options)": [
    (value) => api.fromTransferable(api.toTransferable(batch), value),
    [undefined, wrong[5]],
  ],
  gatherRows: [(value) => api.gatherRows(value, batch.schema, noRanges)],
  "gatherRows(batches, schema)": [(value) => api.gatherRows([batch], value, noRanges)],
  "gatherRows(batches, schema, ranges)": [(value) => api.gatherRows([batch], batch.schema, value)],
  groupRows: [(value) => api.groupRows(value, [])],
  "groupRows(batch, columns)": [(value) => api.groupRows(batch, value)],
  indexIn: [(value) => api.indexIn(value, data)],
  "indexIn(values, valueSet)": [(value) => api.indexIn(data, value)],
  innermostType: [api.innermostType],
  listColumn: [api.listColumn],
  listCoordinates: [api.listCoordinates],
  listElements: [api.listElements],
  "listFromParentIndices(numParents, parents)": [(value) => api.listFromParentIndices(1, value, data)],
  "listFromParentIndices(numParents, parents, values)": [
    (value) => api.listFromParentIndices(1, data, value),
  ],
  mergeBatches: [api.mergeBatches],
  nullBytes: [api.nullBytes],
  nullMask: [api.nullMask],
  parentIndices: [api.parentIndices],
  sliceByValues: [(value) => api.sliceByValues(value, [])],
  "sliceByValues(batch, columns)": [(value) => api.sliceByValues(batch, value)],
  structField: [(value) => api.structField(value, "x")],
  takeRows: [(value) => api.takeRows(value, new Uint32Array(1))],
  "takeRows(batch, rows)": [(value) => api.takeRows(batch, value)],
  toSingletonLists: [api.toSingletonLists],
  "toSingletonLists(data, listType)": [(value) => api.toSingletonLists(data, value), [undefined]],
  toTransferable: [api.toTransferable],
  "toTransferable(batch, options)": [(value) => api.toTransferable(batch, value), [undefined, wrong[5]]],
};
const noRanges: api.RowRanges = {
  count: 0,
  source: new Uint32Array(0),
  start: new Uint32Array(0),
  end: new Uint32Array(0),
};

const outcome = (call: Call, value: unknown): string => {
  try {
    call(value as never);
    return "accepted";
  } catch (error) {
    return isTfxioError(error, "invalid-argument", "not-convertible") ? "rejected" : String(error);
  }
};

test.each(Object.entries(calls))("%s rejects arguments of the wrong type", (_, [call, allowed = []]) => {
  const found = wrong.map((value) => `${String(value)}: ${outcome(call, value)}`);
  const expected = wrong.map(
    (value) => `${String(value)}: ${allowed.includes(value) ? "accepted" : "rejected"}`,
  );
  expect(found).toEqual(expected);
});

test("inferSchemaFromBatches rejects values that are not iterables of batches", async () => {
  for (const value of [...wrong.filter((one) => !Array.isArray(one)), [null]]) {
    await expect(api.inferSchemaFromBatches(value as RecordBatch[])).rejects.toMatchObject({
      code: "invalid-argument",
      argument: "batches",
    });
  }
});

test("decoders, encoders and encodeSequenceExample name an unknown option in the error", () => {
  const misspelt = { listtype: "large" } as object;
  for (const create of [
    api.createExampleDecoder,
    api.createSequenceExampleDecoder,
    api.createExampleEncoder,
    api.createSequenceExampleEncoder,
  ]) {
    expect(() => create(misspelt)).toThrow(
      expect.objectContaining({ code: "invalid-argument", reason: "unknown-option", argument: "listtype" }),
    );
  }
  expect(() => api.encodeSequenceExample({ contxt: {} } as object)).toThrow(
    expect.objectContaining({ reason: "unknown-option", argument: "contxt" }),
  );
});

test.each([{ unlisted: "error" }, { listType: "fixed" }] as const)("%p requires a schema", (options) => {
  for (const create of [api.createExampleDecoder, api.createSequenceExampleDecoder]) {
    expect(() => create(options)).toThrow(
      expect.objectContaining({ code: "invalid-argument", argument: Object.keys(options)[0] }),
    );
  }
});

test("gatherRows rejects ranges outside the batches, and ranges that end before they start", () => {
  const range = (source: number, start: number, end: number): api.RowRanges => ({
    count: 1,
    source: Uint32Array.of(source),
    start: Uint32Array.of(start),
    end: Uint32Array.of(end),
  });
  expect(api.gatherRows([batch], batch.schema, range(0, 0, 1)).numRows).toBe(1);
  for (const ranges of [range(0, 0, 2), range(1, 0, 1), range(0, 1, 0)]) {
    expect(() => api.gatherRows([batch], batch.schema, ranges)).toThrow(
      expect.objectContaining({ code: "invalid-argument", reason: "row-number" }),
    );
  }
  expect(() => api.gatherRows([batch], batch.schema, range(3, 0, 1))).toThrow(
    "The source of a range must be below 1, the number of batches, found 3.",
  );
  expect(() => api.gatherRows([batch], batch.schema, range(0, 0, 2))).toThrow(
    "A range must be within its batch of 1 row and must not start after its end, found source 0, start 0 and end 2.",
  );
  expect(() => api.gatherRows([batch], batch.schema, { ...range(0, 0, 1), count: 2 })).toThrow(
    "The source, start and end of ranges with the count 2 must each have at least 2 elements, found 1, 1 and 1.",
  );
});
