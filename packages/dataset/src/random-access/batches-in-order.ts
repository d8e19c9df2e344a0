import { batchByteSize, gatherRows } from "@tfxio/arrow-encoding";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import { singleRows } from "../columns/row-ranges.js";
import type { Permutation } from "./permutation.js";
import { positionsOf } from "./positions-of.js";

/** Maximum number of rows, and approximate maximum number of bytes, in a gathered batch. */
const GATHERED_ROWS = 4096;
const GATHERED_BYTES = 4 << 20;

export function totalRowsOf(batches: readonly RecordBatch[]): number {
  return batches.reduce((total, { numRows }) => total + numRows, 0);
}

/**
 * Yields the rows at `order(i)`, for i from `first` to n - 1, where n is the number of rows in all batches. Copies them into
 * batches of up to 4096 rows and about 4 MiB.
 */
export function* batchesInOrder(
  batches: readonly RecordBatch[],
  schema: ArrowSchema,
  order: Permutation,
  first: number,
): Generator<RecordBatch, void, undefined> {
  const ends = new Float64Array(batches.length);
  let numRows = 0;
  batches.forEach((batch, index) => {
    ends[index] = numRows += batch.numRows;
  });
  const numBytes = batches.reduce(
    (total, batch) => total + batchByteSize(batch, { ignoreUnsupported: true }),
    0,
  );
  const rowBytes = Math.max(1, numBytes / Math.max(1, numRows));
  const chunkRows = Math.max(1, Math.min(GATHERED_ROWS, Math.floor(GATHERED_BYTES / rowBytes)));
  for (const positions of positionsOf(numRows, order, first, chunkRows)) {
    const source = positions.map((position) => firstAbove(ends, position));
    const row = positions.map((position, k) => {
      const index = source[k] as number;
      return index === 0 ? position : position - (ends[index - 1] as number);
    });
    yield gatherRows(batches, schema, singleRows(source, row));
  }
}

/** Returns the index of the first number above `value` in an ascending list, or of the last number if none is above it. */
function firstAbove(ascending: Float64Array, value: number): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] as number) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
