import { Field, Int64, makeData, type RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import { recordBatchOf } from "./record-batch.js";

/** The schema with a last column `name` of row positions: Int64, never null. The schema itself if `name` is undefined. */
export function withPositionField(schema: ArrowSchema, name: string | undefined): ArrowSchema {
  if (name === undefined) return schema;
  return new ArrowSchema([...schema.fields, new Field(name, new Int64(), false)], schema.metadata);
}

/**
 * The batch with a last column `name` of row positions. The batch itself if `name` is undefined.
 * @param positions One for each row. Borrowed.
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
