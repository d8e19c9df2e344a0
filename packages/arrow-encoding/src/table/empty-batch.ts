import { assertArgument } from "@tfxio/wire/checks";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import { anArrowSchema } from "../argument-rules.js";
import { nullColumn } from "../column/null-column.js";
import { recordBatchOf } from "./record-batch.js";

/**
 * Creates a batch that has all columns of the schema but no rows. An operation that rejects a column type also fails on this
 * batch, so the operation can be tried before any data is read.
 * @throws {ArgumentError} `invalid-argument` for a value that is not an Arrow schema.
 */
export function emptyBatch(schema: ArrowSchema): RecordBatch {
  assertArgument("schema", schema, anArrowSchema);
  return recordBatchOf(
    schema,
    0,
    schema.fields.map(({ type }) => nullColumn(type, 0)),
  );
}
