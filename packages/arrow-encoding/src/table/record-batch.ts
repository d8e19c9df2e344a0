import { anInteger, assertArgument } from "@tfxio/wire/checks";
import { type Data, makeData, RecordBatch, Schema as ArrowSchema, Struct } from "apache-arrow";
import { aListOfColumns, anArrowSchema, aRecordBatch } from "../argument-rules.js";

const noColumns = new ArrowSchema([]);
const noFields = new Struct([]);

/**
 * Creates a batch of the columns `children`. Borrows the columns and keeps the schema object. Each column must have `numRows`
 * rows. The constructor of arrow-js looks up and clones every field, which takes a second for ten thousand columns. So this
 * function creates a batch without columns and then inserts the columns.
 * @throws {ArgumentError} `invalid-argument` for an argument of the wrong type.
 */
export function recordBatchOf(
  schema: ArrowSchema,
  numRows: number,
  children: readonly Data[],
  metadata?: ReadonlyMap<string, string>,
): RecordBatch {
  assertArgument("schema", schema, anArrowSchema);
  assertArgument("numRows", numRows, anInteger(0));
  assertArgument("children", children, aListOfColumns);
  const rows = { length: numRows, nullCount: 0 };
  const empty = makeData({ type: noFields, ...rows, children: [] });
  const data = makeData({ type: new Struct(schema.fields), ...rows, children: [...children] });
  return Object.assign(new RecordBatch(noColumns, empty, new Map(metadata)), { schema, data });
}

/**
 * Returns the rows `start` to `end` (exclusive) as a batch that shares the buffers. Keeps the metadata and the schema object.
 * Takes time linear in the number of columns. `batch.slice` of arrow-js clones the schema, and takes more than linear time.
 * @throws {ArgumentError} `invalid-argument` for an argument of the wrong type, or rows outside the batch.
 */
export function sliceBatch(batch: RecordBatch, start: number, end: number): RecordBatch {
  assertArgument("batch", batch, aRecordBatch);
  assertArgument("start", start, anInteger(0, batch.numRows));
  assertArgument("end", end, anInteger(start, batch.numRows));
  const { children } = batch.data.slice(start, end - start);
  return recordBatchOf(batch.schema, end - start, children, batch.metadata);
}
