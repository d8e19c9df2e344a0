import { recordBatchOf } from "@tfxio/arrow-encoding";
import { Field, Int64, makeData, type RecordBatch, Schema as ArrowSchema } from "apache-arrow";

/** The schema with the column of row positions, if one is asked for. */
export function withPositionField(schema: ArrowSchema, name: string | undefined): ArrowSchema {
  if (name === undefined) return schema;
  return new ArrowSchema([...schema.fields, new Field(name, new Int64(), false)], schema.metadata);
}

/** The batch with the column of row positions, if one is asked for. */
export function withPositions(
  batch: RecordBatch,
  name: string | undefined,
  positions: readonly bigint[],
): RecordBatch {
  if (name === undefined) return batch;
  const column = makeData({ type: new Int64(), data: BigInt64Array.from(positions) });
  const schema = withPositionField(batch.schema, name);
  return recordBatchOf(schema, batch.numRows, [...batch.data.children, column]);
}
