import { recordBatchOf, sliceBatch } from "@tfxio/arrow-encoding";
import type { PlanRequest } from "@tfxio/format";
import { type Data, Int64, makeData, type RecordBatch } from "apache-arrow";
import type { ReadLimits } from "../compression/codecs.js";
import { loadBuffers } from "../columns/body-buffers.js";
import { readColumns } from "../columns/read-columns.js";
import type { StoredBatch } from "../containers/stored-batch.js";
import type { StoredSchema } from "../metadata/stored-column.js";
import type { Selection } from "./select-columns.js";

/** Settings that all reads of one source in one plan share. */
export interface ReadContext {
  readonly schema: StoredSchema;
  readonly selection: Selection;
  readonly request: PlanRequest;
  readonly limits: ReadLimits;
  /** True if rows of several stored batches are joined. */
  readonly joinBatches: boolean;
}

/** The requested rows of a stored batch, and their position. */
export interface BatchRows {
  /** Index of the first requested row in the batch. */
  readonly from: number;
  /** Index of the batch's first row in its file. */
  readonly firstRow: number;
}

/**
 * Returns the rows of a stored batch, in the columns of the plan. Borrows the source's buffers if possible.
 * @throws The errors of {@link loadBuffers} and {@link readColumns}.
 */
export async function decodeBatch(
  stored: StoredBatch,
  { schema, selection, request, limits }: ReadContext,
  { from, firstRow }: BatchRows,
): Promise<RecordBatch> {
  const { header, body } = stored;
  const { numRows, metadata, place } = header;
  const buffers = await loadBuffers(selection.columns, header, body, limits);
  const columns = readColumns(selection.columns, header, buffers, {
    isBigEndian: schema.isBigEndian,
    limits,
    dictionary: (id) => stored.dictionary(id, place),
  });
  const absent = selection.absentColumns(numRows);
  let numAbsent = 0;
  const children = selection.positions.map(
    (at) => (at === undefined ? absent[numAbsent++] : columns[at]) as Data,
  );
  if (request.rowPositionColumn !== undefined) children.push(rowNumbers(firstRow, numRows));
  const batch = recordBatchOf(selection.arrowSchema, numRows, children, metadata);
  return from === 0 ? batch : sliceBatch(batch, from, numRows);
}

function rowNumbers(first: number, length: number): Data {
  const data = BigInt64Array.from({ length }, (_, row) => BigInt(first + row));
  return makeData({ type: new Int64(), length, nullCount: 0, data });
}
