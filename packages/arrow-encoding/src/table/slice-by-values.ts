import type { ColumnPath } from "@tfxio/schema";
import type { RecordBatch } from "apache-arrow";
import { takeRows } from "../gather/gather-rows.js";
import { groupRows, type RowGroup } from "./group-rows.js";
import { recordBatchOf } from "./record-batch.js";

/** A {@link RowGroup} and a batch of its rows. */
export interface BatchSlice extends RowGroup {
  /** The rows of the group, in order, with the schema of the original batch. */
  readonly batch: RecordBatch;
}

/**
 * Divides a batch into one slice for each group of {@link groupRows}, that is, for each combination of values in `columns`. All
 * groups are copied to one batch, and the slices share its buffers. So hundreds of small groups take no longer than a few large
 * groups. To keep only one of many groups, use {@link takeRows}. Throws the errors of {@link groupRows} and {@link gatherRows}.
 * @see tfx_bsl `SlicingSpec.feature_keys`
 */
export function sliceByValues(batch: RecordBatch, columns: readonly ColumnPath[]): readonly BatchSlice[] {
  const groups = groupRows(batch, columns);
  const order = new Uint32Array(groups.reduce((total, { rows }) => total + rows.length, 0));
  let numRows = 0;
  for (const { rows } of groups) {
    order.set(rows, numRows);
    numRows += rows.length;
  }
  const { data } = takeRows(batch, order);
  let first = 0;
  return groups.map(({ values, rows }) => {
    const { children } = data.slice(first, rows.length);
    first += rows.length;
    return { values, rows, batch: recordBatchOf(batch.schema, rows.length, children) };
  });
}
