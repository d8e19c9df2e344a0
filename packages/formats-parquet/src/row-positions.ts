import { recordBatchOf } from "@tfxio/arrow-encoding";
import { Field, Int64, makeData, type RecordBatch, Schema as ArrowSchema } from "apache-arrow";

/** Rows that follow each other in a file. */
export interface RowRange {
  readonly firstRow: number;
  readonly numRows: number;
}

/** Removes the first `numRows` rows from `ranges`, and gives them. */
export function takeRows(ranges: RowRange[], numRows: number): readonly RowRange[] {
  const taken: RowRange[] = [];
  for (let left = numRows; left > 0; ) {
    const range = ranges.shift();
    if (range === undefined) break;
    const count = Math.min(left, range.numRows);
    taken.push({ firstRow: range.firstRow, numRows: count });
    left -= count;
    if (count < range.numRows) {
      ranges.unshift({ firstRow: range.firstRow + count, numRows: range.numRows - count });
    }
  }
  return taken;
}

/** The schema with the column of row positions, if one is asked for. */
export function withPositionField(schema: ArrowSchema, name: string | undefined): ArrowSchema {
  if (name === undefined) return schema;
  return new ArrowSchema([...schema.fields, new Field(name, new Int64(), false)], schema.metadata);
}

/** The batch with the column of row positions, if one is asked for. */
export function withPositions(
  batch: RecordBatch,
  name: string | undefined,
  ranges: readonly RowRange[],
): RecordBatch {
  if (name === undefined) return batch;
  const positions = new BigInt64Array(batch.numRows);
  let at = 0;
  for (const { firstRow, numRows } of ranges) {
    for (let row = 0; row < numRows; row++) positions[at++] = BigInt(firstRow + row);
  }
  const column = makeData({ type: new Int64(), data: positions });
  const schema = withPositionField(batch.schema, name);
  return recordBatchOf(schema, batch.numRows, [...batch.data.children, column]);
}
