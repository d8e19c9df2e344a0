/**
 * Ranges of rows from one or more batches. The first `count` elements of each array describe the ranges; later elements are
 * ignored. Range `i` consists of the rows `start[i]` (inclusive) to `end[i]` (exclusive) of batch `source[i]`.
 */
export interface RowRanges {
  readonly count: number;
  readonly source: Uint32Array;
  readonly start: Uint32Array;
  readonly end: Uint32Array;
}

/** Returns the total number of rows in all ranges. */
export function totalLength({ count, start, end }: RowRanges): number {
  let total = 0;
  for (let i = 0; i < count; i++) total += end[i]! - start[i]!;
  return total;
}
