import type { ColumnPath } from "@tfxio/schema";
import type { RecordBatch } from "apache-arrow";
import { takeRows } from "../gather/gather-rows.js";
import { groupRows, type RowGroup } from "./group-rows.js";
import { recordBatchOf } from "./record-batch.js";

/** A {@link RowGroup} with its rows as a batch. */
export interface BatchSlice extends RowGroup {
  /** The rows of the group, in order, with the schema of the original batch. */
  readonly batch: RecordBatch;
}

/**
 * Divides a batch by the groups of {@link groupRows}: one slice for each combination of values in `columns`. Rows are copied
 * once, group by group. The slices share the buffers of that copy, so hundreds of small groups cost as little as a few large
 * ones. To keep only one of many groups, use {@link takeRows}.
 * @throws like {@link groupRows} and {@link gatherRows}.
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
