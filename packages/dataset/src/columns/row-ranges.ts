import type { RowRanges as ArrowRowRanges } from "@tfxio/arrow-encoding";

/** Rows `start[i]` to `end[i]` (exclusive) of sources `source[i]`, for each of `count` ranges. */
export interface RowRanges extends ArrowRowRanges {
  /** Set when every range is one row, which allows a faster copy. */
  readonly areSingleRows?: true;
}

/** All rows of sources with these row counts, in source order. */
export function wholeSources(numRows: readonly number[]): RowRanges {
  return {
    count: numRows.length,
    source: Uint32Array.from(numRows, (_, index) => index),
    start: new Uint32Array(numRows.length),
    end: Uint32Array.from(numRows),
  };
}

/** Rows `row[i]` of sources `source[i]`, in that order. Borrows both. */
export function singleRows(source: Uint32Array, row: Uint32Array): RowRanges {
  const end = new Uint32Array(row.length);
  for (let i = 0; i < row.length; i++) end[i] = (row[i] as number) + 1;
  return { count: row.length, source, start: row, end, areSingleRows: true };
}

/** Rows `start` to `end` (exclusive) of one source. */
export function oneRange(start: number, end: number): RowRanges {
  return { count: 1, source: new Uint32Array(1), start: Uint32Array.of(start), end: Uint32Array.of(end) };
}

/** Rows `start` to `start + numRows` (exclusive) of a source. */
interface Part {
  readonly start: number;
  readonly numRows: number;
}

/** The rows of all parts. Part `i` belongs to source `i`. */
export function rangesOfParts(parts: readonly Part[]): RowRanges {
  return {
    count: parts.length,
    source: Uint32Array.from(parts, (_, index) => index),
    start: Uint32Array.from(parts, ({ start }) => start),
    end: Uint32Array.from(parts, ({ start, numRows }) => start + numRows),
  };
}

/** The end of the last part when all parts are adjacent rows of one source; otherwise undefined. */
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

/** Total number of rows in the ranges. */
export function totalRows({ count, start, end, areSingleRows }: RowRanges): number {
  if (areSingleRows) return count;
  let total = 0;
  for (let i = 0; i < count; i++) total += (end[i] as number) - (start[i] as number);
  return total;
}
