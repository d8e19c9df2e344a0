import { expect, test } from "@jest/globals";
import { ColumnPath, parsePredicate } from "@tfxio/schema";
import { isTfxioError } from "@tfxio/wire";
import * as api from "../src/index.js";

const batch = api.createExampleDecoder().decode([api.encodeExample({ x: { kind: "int64", values: [1] } })]);
const limits = { maxRows: 1, maxBytes: 1 };

/** A call without type checking, as in a JavaScript program. */
type Call = (wrong: never) => unknown;
const cases: readonly (readonly [Call, unknown, string])[] = [
  [api.toListColumns, 7, "batch must be an Arrow RecordBatch, found 7."],
  [api.mergeBatches, [null], "batches[0] must be an Arrow RecordBatch, found null."],
  [api.emptyBatch, {}, "schema must be an Arrow Schema, found an empty object."],
  [
    api.byteSize,
    { type: batch.schema.fields[0]?.type },
    'data must be the Data of a column, such as batch.data.children[0], found an object with the key "type".',
  ],
  [api.innermostType, null, "type must be an Arrow DataType, found null."],
  [api.nullMask, "x", 'elements must be ColumnElements, as returned by columnElements, found "x".'],
  [
    api.conformedSchema,
    batch.schema,
    "schema must be a Schema message, as returned by parseSchemaText, found a Schema.",
  ],
  [(path) => api.columnAtPath(batch, path), "x", 'path must be a ColumnPath, found "x".'],
  [(columns) => api.groupRows(batch, columns), ["x"], 'columns[0] must be a ColumnPath, found "x".'],
  [(mask) => api.filterRows(batch, mask), [1], "mask must be a Uint8Array, found a list of length 1."],
  [
    (rows) => api.takeRows(batch, rows),
    [0],
    "rows must be a Uint32Array of row numbers, found a list of length 1.",
  ],
  [
    (ranges) => api.gatherRows([batch], batch.schema, ranges),
    { count: 1 },
    'ranges must be RowRanges (a count, and source, start and end as Uint32Arrays), found an object with the key "count".',
  ],
  [(records) => api.createExampleDecoder().decode(records), [1], "records[0] must be a Uint8Array, found 1."],
  [
    (block) => api.createExampleDecoder().push(block, 0, limits),
    undefined,
    "block must be a RecordBlock or FramedWindow, found undefined.",
  ],
  [
    (offsets) => new api.BytesColumn(new Uint8Array(0), offsets),
    new Uint32Array(1),
    "offsets must be an Int32Array, found a Uint32Array.",
  ],
  [
    api.fromTransferable,
    { layout: {} },
    'transferable must be a TransferableBatch, as returned by toTransferable, found an object with the key "layout".',
  ],
  [(maxBytes) => api.sliceByBytes(batch, maxBytes), 0, "maxBytes must be a number of at least 1, found 0."],
  [api.hashThreshold, 1.5, "fraction must be a number from 0 to 1, found 1.5."],
  [
    (seed) => api.hashColumnRows(batch, ColumnPath.of("x"), seed),
    2 ** 32,
    "seed must be an integer from 0 to 4294967295, found 4294967296.",
  ],
  [
    (numParents) => api.listFromParentIndices(numParents, batch.data.children[0]!, batch.data.children[0]!),
    -1,
    "numParents must be an integer from 0 to 2147483647, found -1.",
  ],
  [
    (listType) => api.toSingletonLists(batch.data.children[0]!, listType),
    "wide",
    'listType must be "list" or "large", found "wide".',
  ],
  [
    (context) => api.encodeSequenceExample({ context }),
    [],
    "encodeSequenceExample: context must be an object, found an empty list.",
  ],
  [api.encodeSequenceExample, null, "encodeSequenceExample: parts must be an object, found null."],
  [api.encodeExample, 5, "features must be an object, found 5."],
  [
    (a) => api.encodeExample({ a }),
    true,
    'features["a"] must be null, or values with their kind such as { kind: "int64", values: [1] }, found true.',
  ],
  [
    (values) => api.encodeExample({ a: { kind: "int64", values } }),
    "1",
    'features["a"].values must be a list or a typed array, found "1".',
  ],
  [
    (values) => api.encodeExample({ a: { kind: "bytes", values } }),
    new Uint8Array(2),
    'features["a"].values must be a list of strings or Uint8Arrays, found a Uint8Array.',
  ],
  [
    (s) => api.encodeSequenceExample({ featureLists: { s } }),
    null,
    'featureLists["s"] must be a list of features, found null.',
  ],
  [
    (values) => api.encodeSequenceExample({ featureLists: { s: [{ kind: "int64", values }] } }),
    "1",
    'featureLists["s"].values must be a list or a typed array, found "1".',
  ],
  [
    (values) => api.encodeSequenceExample({ context: { c: { kind: "int64", values } } }),
    "1",
    'context["c"].values must be a list or a typed array, found "1".',
  ],
  [
    (listType) => api.createExampleDecoder({ listType }),
    "wide",
    'createExampleDecoder: listType must be "list", "large" or "fixed", found "wide".',
  ],
  [
    (kernels) => api.createSequenceExampleDecoder({ kernels }),
    {},
    "createSequenceExampleDecoder: kernels must be Kernels, such as the result of kernels() from @tfxio/wire/kernels, " +
      "found an empty object.",
  ],
  [
    (sequenceColumn) => api.createSequenceExampleEncoder({ sequenceColumn }),
    "",
    'createSequenceExampleEncoder: sequenceColumn must be a name of at least one character, found "".',
  ],
  [
    (absent) => api.createRowMatcher(parsePredicate("x == 1"), { absent }),
    "drop",
    'createRowMatcher: absent must be "error" or "null", found "drop".',
  ],
  [
    (leavesOnly) => api.columnsByPath(batch, { leavesOnly }),
    1,
    "columnsByPath: leavesOnly must be true or false, found 1.",
  ],
  [
    (leavesOnly) => api.columnAtPath(batch, ColumnPath.of("x"), { leavesOnly } as object),
    true,
    'columnAtPath has no option "leavesOnly"; it has wrapFlatStructs.',
  ],
  [
    (keepShared) => api.toTransferable(batch, { keepShared }),
    "yes",
    'toTransferable: keepShared must be true or false, found "yes".',
  ],
];

test.each(cases.map(([call, wrong, message]) => ({ call, wrong, message })))(
  "a wrong argument is rejected: $message",
  ({ call, wrong, message }) => {
    expect(messageOf(() => call(wrong as never))).toBe(`[invalid-argument] ${message}`);
  },
);

test("inferSchemaFromBatches rejects an item that is not a RecordBatch, and reports the item", async () => {
  await expect(api.inferSchemaFromBatches([7] as never)).rejects.toThrow(
    "[invalid-argument] batches must be an iterable of RecordBatches, found 7.",
  );
});

function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (isTfxioError(error, "invalid-argument")) return error.message;
    throw error;
  }
  return "accepted";
}
