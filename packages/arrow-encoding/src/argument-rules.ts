import {
  aListOf,
  anInteger,
  aUint8Array,
  isTagged,
  membersOf,
  oneOf,
  type Rule,
  rule,
} from "@tfxio/wire/checks";

/** Checks the structure only, so that batches from a second install of apache-arrow pass too. */
export const aRecordBatch: Rule = rule("an Arrow RecordBatch", (value) => {
  const { schema, data, numRows } = membersOf(value);
  return isArrowSchema(schema) && isData(data) && Number.isInteger(numRows);
});
export const aListOfRecordBatches: Rule = aListOf("a list of RecordBatches", aRecordBatch);
/** An iterable or async iterable. Its items are checked as they arrive. */
export const anIterableOfRecordBatches: Rule = rule("an iterable of RecordBatches", (value) => {
  if (typeof value !== "object" || value === null) return false;
  return Symbol.iterator in value || Symbol.asyncIterator in value;
});
export const anArrowSchema: Rule = rule("an Arrow Schema", isArrowSchema);
export const anArrowType: Rule = rule("an Arrow DataType", isArrowType);
export const aColumn: Rule = rule("the Data of a column, such as batch.data.children[0]", isData);
export const aListOfColumns: Rule = aListOf("a list of columns as Data", aColumn);
export const aColumnElements: Rule = rule("ColumnElements, as returned by columnElements", (value) => {
  const { data, runs } = membersOf(value);
  return isData(data) && ArrayBuffer.isView(runs);
});
export const aSchema: Rule = rule("a Schema message, as returned by parseSchemaText", (value) => {
  return membersOf(value)["$typeName"] === "tensorflow.metadata.v0.Schema";
});
export const aColumnPath: Rule = rule("a ColumnPath", (value) => Array.isArray(membersOf(value)["steps"]));
export const aListOfColumnPaths: Rule = aListOf("a list of ColumnPaths", aColumnPath);
export const aListType: Rule = oneOf("list", "large");
/** Seed of a row hash, an unsigned integer of 32 bits. */
export const aSeed: Rule = anInteger(0, 2 ** 32 - 1);
export const aListOfUint8Arrays: Rule = aListOf("a list of Uint8Arrays", aUint8Array);
export const anInt32Array: Rule = rule("an Int32Array", isTagged("Int32Array"));
export const aBigInt64Array: Rule = rule("a BigInt64Array", isTagged("BigInt64Array"));
export const aRowNumberArray: Rule = rule("a Uint32Array of row numbers", isTagged("Uint32Array"));
/** Row ranges over several batches. Checks only the types; `gatherRows` checks the values against the batches. */
export const aRowRanges: Rule = rule(
  "RowRanges (a count, and source, start and end as Uint32Arrays)",
  (value) => {
    const { count, source, start, end } = membersOf(value);
    return Number.isInteger(count) && [source, start, end].every(aRowNumberArray.holds);
  },
);
/** A block or window of bytes that holds records. Checks only the bytes and the index of the first record. */
export const aRecordBlock: Rule = rule("a RecordBlock or FramedWindow", (value) => {
  const { bytes, firstRecordIndex } = membersOf(value);
  return aUint8Array.holds(bytes) && Number.isInteger(firstRecordIndex);
});
export const aBatchLimits: Rule = rule("BatchLimits with the numbers maxRows and maxBytes", (value) => {
  const { maxRows, maxBytes } = membersOf(value);
  return typeof maxRows === "number" && typeof maxBytes === "number";
});
export const aKernels: Rule = rule(
  "Kernels, such as the result of kernels() from @tfxio/wire/kernels",
  (value) => {
    return typeof membersOf(value)["exampleDecoder"] === "function";
  },
);
/** A batch received from another thread. Checks the structure only, not whether the buffers fit the layout. */
export const aTransferableBatch: Rule = rule(
  "a TransferableBatch, as returned by toTransferable",
  (value) => {
    const { layout, buffers } = membersOf(value);
    return Array.isArray(membersOf(layout)["columns"]) && buffers !== undefined;
  },
);

function isArrowSchema(value: unknown): boolean {
  return Array.isArray(membersOf(value)["fields"]);
}

function isData(value: unknown): boolean {
  const { type, children, length } = membersOf(value);
  return isArrowType(type) && Array.isArray(children) && Number.isInteger(length);
}

function isArrowType(value: unknown): boolean {
  return Number.isInteger(membersOf(value)["typeId"]);
}
