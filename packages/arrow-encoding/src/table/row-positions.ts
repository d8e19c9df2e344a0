import { Field, Int64, makeData, type RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import { recordBatchOf } from "./record-batch.js";

/** Appends the field `name` for row positions: Int64, not nullable. Returns the schema itself if `name` is undefined. */
export function withPositionField(schema: ArrowSchema, name: string | undefined): ArrowSchema {
  if (name === undefined) return schema;
  return new ArrowSchema([...schema.fields, new Field(name, new Int64(), false)], schema.metadata);
}

/**
 * Appends a column of row positions. Returns the batch itself if `name` is undefined.
 * @param positions One position for each row. Borrowed.
 */
export function withPositions(
  batch: RecordBatch,
  name: string | undefined,
  positions: BigInt64Array,
): RecordBatch {
  if (name === undefined) return batch;
  const column = makeData({ type: new Int64(), data: positions });
  const schema = withPositionField(batch.schema, name);
  return recordBatchOf(schema, batch.numRows, [...batch.data.children, column]);
}
