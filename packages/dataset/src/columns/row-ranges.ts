/**
 * Rows to gather: `count` ranges, range `i` being rows `start[i]` to `end[i]` (exclusive) of part `part[i]`.
 * One range per part is concatenation, one per row is a take; the same shape serves every level of a ragged column.
 */
export interface RowRanges {
  readonly count: number;
  readonly part: Int32Array;
  readonly start: Int32Array;
  readonly end: Int32Array;
}

/** All rows of parts with these row counts, one after the other. */
export function wholeParts(numRows: readonly number[]): RowRanges {
  return {
    count: numRows.length,
    part: Int32Array.from(numRows, (_, index) => index),
    start: new Int32Array(numRows.length),
    end: Int32Array.from(numRows),
  };
}

/** Rows `row[i]` of parts `part[i]`, in that order. Borrows both. */
export function singleRows(part: Int32Array, row: Int32Array): RowRanges {
  return { count: row.length, part, start: row, end: row.map((start) => start + 1) };
}

/** Rows `start` to `end` (exclusive) of one part. */
export function oneRange(start: number, end: number): RowRanges {
  return { count: 1, part: new Int32Array(1), start: Int32Array.of(start), end: Int32Array.of(end) };
}

/** Rows that all ranges hold together. */
export function totalRows(ranges: RowRanges): number {
  let total = 0;
  for (let i = 0; i < ranges.count; i++) total += (ranges.end[i] as number) - (ranges.start[i] as number);
  return total;
}
