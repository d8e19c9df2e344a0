import type { RowRanges as ArrowRowRanges } from "@tfxio/arrow-encoding";

/** Rows `start[i]` to `end[i]` (exclusive) of source `source[i]`, for each i below `count`. */
export interface RowRanges extends ArrowRowRanges {
  /** If true, every range is one row, so rows can be copied faster. If absent, ranges may have any length. */
  readonly areSingleRows?: true;
}

/** Returns, for each source, the range of all its rows. Source `i` has `numRows[i]` rows. */
export function wholeSources(numRows: readonly number[]): RowRanges {
  return {
    count: numRows.length,
    source: Uint32Array.from(numRows, (_, index) => index),
    start: new Uint32Array(numRows.length),
    end: Uint32Array.from(numRows),
  };
}

/** Returns ranges of one row each: row `row[i]` of source `source[i]`. Borrows both arrays. */
export function singleRows(source: Uint32Array, row: Uint32Array): RowRanges {
  const end = new Uint32Array(row.length);
  for (let i = 0; i < row.length; i++) end[i] = (row[i] as number) + 1;
  return { count: row.length, source, start: row, end, areSingleRows: true };
}

/** Returns the range from `start` to `end` (exclusive) of source 0. */
export function oneRange(start: number, end: number): RowRanges {
  return { count: 1, source: new Uint32Array(1), start: Uint32Array.of(start), end: Uint32Array.of(end) };
}

/** Rows `start` to `start + numRows` (exclusive) of a source. */
interface Part {
  readonly start: number;
  readonly numRows: number;
}

/** Returns one range for each part. Part `i` belongs to source `i`. */
export function rangesOfParts(parts: readonly Part[]): RowRanges {
  return {
    count: parts.length,
    source: Uint32Array.from(parts, (_, index) => index),
    start: Uint32Array.from(parts, ({ start }) => start),
    end: Uint32Array.from(parts, ({ start, numRows }) => start + numRows),
  };
}

/** Returns the end (exclusive) of the last part if the parts are consecutive rows of one source, otherwise undefined. */
export function endOfOneRange<P extends Part>(
  parts: readonly P[],
  sourceOf: (part: P) => unknown,
): number | undefined {
  const first = parts[0] as P;
  let end = first.start;
  for (const part of parts) {
    if (part.start !== end || sourceOf(part) !== sourceOf(first)) return undefined;
    end += part.numRows;
  }
  return end;
}

/** Returns the total number of rows in all ranges. */
export function totalRows({ count, start, end, areSingleRows }: RowRanges): number {
  if (areSingleRows) return count;
  let total = 0;
  for (let i = 0; i < count; i++) total += (end[i] as number) - (start[i] as number);
  return total;
}
