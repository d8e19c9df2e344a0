import { type Data, DataType } from "apache-arrow";
import { assertPosition, malformedColumn } from "./column-access-offsets.js";
import { type RowRanges, totalLength } from "./row-ranges.js";

/** {@link gatherOffsets}. */
export interface GatheredOffsets {
  /** From 0 on; of 64 bits for large types. */
  readonly offsets: Int32Array | BigInt64Array;
  /** What the rows cover in the child, or in the bytes. */
  readonly inner: RowRanges;
}

/**
 * Offsets of the rows of `ranges`, one after the other. Those of the sources are checked as far as they are read.
 * @param capacities of each source, the number of values or bytes that its offsets point into.
 * @throws {ConversionError} `not-convertible` (`malformed-column`); `out-of-range` (`batch-too-large`).
 */
export function gatherOffsets(
  type: DataType,
  sources: readonly Data[],
  capacities: readonly number[],
  ranges: RowRanges,
): GatheredOffsets {
  const { count, source } = ranges;
  const length = totalLength(ranges);
  const start = new Uint32Array(count);
  const end = new Uint32Array(count);
  const isLarge = DataType.isLargeList(type) || DataType.isLargeBinary(type) || DataType.isLargeUtf8(type);
  const offsets = isLarge ? new BigInt64Array(length + 1) : new Int32Array(length + 1);
  let row = 0;
  let total = 0;
  for (let i = 0; i < count; i++) {
    const number = source[i] as number;
    const own = sources[number]?.valueOffsets as Int32Array | BigInt64Array;
    const rows = own.subarray(ranges.start[i], (ranges.end[i] as number) + 1);
    const numRows = (ranges.end[i] as number) - (ranges.start[i] as number);
    // A column without rows may lack its offsets.
    const first = Number(rows[0] ?? 0);
    const last = Number(rows[rows.length - 1] ?? 0);
    const ordered = isLarge
      ? shiftLarge(rows as BigInt64Array, total, offsets as BigInt64Array, row)
      : shift(rows as Int32Array, total, offsets as Int32Array, row);
    const areThere = numRows === 0 || rows.length === numRows + 1;
    if (!areThere || !ordered || first < 0 || last > (capacities[number] as number)) {
      throw malformedColumn(
        type,
        `offsets from ${first} to ${last} decrease, or point behind ${capacities[number]}`,
      );
    }
    start[i] = first;
    end[i] = last;
    total += last - first;
    if (!isLarge) assertPosition(total, type);
    row += numRows;
  }
  return { offsets, inner: { count, source, start, end } };
}

/** Writes the ends of rows behind `target[row]`, the first row to begin at `total`. False when they decrease. */
function shift(rows: Int32Array, total: number, target: Int32Array, row: number): boolean {
  const by = total - (rows[0] as number);
  for (let i = 1; i < rows.length; i++) {
    if ((rows[i] as number) < (rows[i - 1] as number)) return false;
    target[row + i] = (rows[i] as number) + by;
  }
  return true;
}

function shiftLarge(rows: BigInt64Array, total: number, target: BigInt64Array, row: number): boolean {
  const by = BigInt(total) - (rows[0] ?? 0n);
  for (let i = 1; i < rows.length; i++) {
    if ((rows[i] as bigint) < (rows[i - 1] as bigint)) return false;
    target[row + i] = (rows[i] as bigint) + by;
  }
  return true;
}
