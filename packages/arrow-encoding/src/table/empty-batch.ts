import { assertArgument } from "@tfxio/wire/checks";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import { anArrowSchema } from "../argument-rules.js";
import { nullColumn } from "../column/null-column.js";
import { recordBatchOf } from "./record-batch.js";

/**
 * A batch of no rows, with columns of all types of the schema: what fails on it fails on every batch.
 * @throws {ArgumentError} `invalid-argument` for what is not an Arrow schema.
 */
export function emptyBatch(schema: ArrowSchema): RecordBatch {
  assertArgument("schema", schema, anArrowSchema);
  return recordBatchOf(
    schema,
    0,
    schema.fields.map(({ type }) => nullColumn(type, 0)),
  );
}
