import type { HostSparse } from "@tfxio/tensor-adapter";
import { gatherValues } from "./gather-values.js";
import { type RowRanges, oneRange, totalRows } from "./row-ranges.js";

/**
 * Copies row ranges of sparse columns into one column. The columns must have the same dtype and rank. Indices must be in row
 * order, as the tensor adapter writes them. Each dimension after the first takes the largest size of all parts, or -1 (unknown)
 * if a part has -1.
 */
export function gatherSparse(parts: readonly HostSparse[], ranges: RowRanges): HostSparse {
  const { dtype, denseShape } = parts[0] as HostSparse;
  const rank = denseShape.length;
  const entries = entryRanges(parts, ranges, rank);
  const indices = new Int32Array(totalRows(entries) * rank);
  let at = 0;
  let rowBase = 0;
  for (let i = 0; i < entries.count; i++) {
    const from = (parts[ranges.source[i] as number] as HostSparse).indices;
    const start = ranges.start[i] as number;
    const shift = rowBase - start;
    const end = (entries.end[i] as number) * rank;
    for (let k = (entries.start[i] as number) * rank; k < end; k += rank) {
      indices[at] = (from[k] as number) + shift;
      for (let d = 1; d < rank; d++) indices[at + d] = from[k + d] as number;
      at += rank;
    }
    rowBase += (ranges.end[i] as number) - start;
  }
  const values = gatherValues(
    parts.map((part) => part.values),
    dtype,
    entries,
    1,
  );
  return {
    kind: "sparse",
    dtype,
    indices,
    values,
    denseShape: [rowBase, ...commonSizes(parts.map((part) => part.denseShape.slice(1)))],
    borrowed: false,
  };
}

/** Copies row `index` as a sparse value without the batch dimension. */
export function sparseRow(column: HostSparse, index: number): HostSparse {
  const rank = column.denseShape.length;
  const row = gatherSparse([column], oneRange(index, index + 1));
  const numEntries = row.values.length;
  const indices = new Int32Array(numEntries * (rank - 1));
  for (let entry = 0; entry < numEntries; entry++) {
    indices.set(row.indices.subarray(entry * rank + 1, (entry + 1) * rank), entry * (rank - 1));
  }
  return { ...row, indices, denseShape: row.denseShape.slice(1) };
}

/** Returns a sparse value as a column of one row. Borrows the values and copies the indices. */
export function sparseColumnOfOne(row: HostSparse): HostSparse {
  const rank = row.denseShape.length;
  const indices = new Int32Array(row.values.length * (rank + 1));
  for (let entry = 0; entry < row.values.length; entry++) {
    indices.set(row.indices.subarray(entry * rank, (entry + 1) * rank), entry * (rank + 1) + 1);
  }
  return { ...row, indices, denseShape: [1, ...row.denseShape] };
}

/** Returns, for each range of rows, the range of its entries. */
function entryRanges(parts: readonly HostSparse[], ranges: RowRanges, rank: number): RowRanges {
  const start = new Uint32Array(ranges.count);
  const end = new Uint32Array(ranges.count);
  for (let i = 0; i < ranges.count; i++) {
    const part = parts[ranges.source[i] as number] as HostSparse;
    start[i] = firstEntryOfRow(part, rank, ranges.start[i] as number, 0);
    end[i] = firstEntryOfRow(part, rank, ranges.end[i] as number, start[i] as number);
  }
  return { count: ranges.count, source: ranges.source, start, end };
}

/** Returns the index of the first entry in or after `row`, by a binary search that ignores entries before `from`. */
function firstEntryOfRow(part: HostSparse, rank: number, row: number, from: number): number {
  let low = from;
  let high = part.values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((part.indices[middle * rank] as number) < row) low = middle + 1;
    else high = middle;
  }
  return low;
}

function commonSizes(shapes: readonly (readonly number[])[]): number[] {
  const [first = [], ...rest] = shapes;
  return first.map((size, d) =>
    rest.reduce((most, shape) => {
      const other = shape[d] as number;
      return most < 0 || other < 0 ? -1 : Math.max(most, other);
    }, size),
  );
}
