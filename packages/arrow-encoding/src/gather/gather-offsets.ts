import { ConversionError } from "@tfxio/wire";
import { type Data, DataType } from "apache-arrow";
import { assertPosition, malformedColumn } from "../column/column-access-offsets.js";
import { type RowRanges, totalLength } from "./row-ranges.js";

/** Result of {@link gatherOffsets}. */
export interface GatheredOffsets {
  /** Offsets of the gathered rows, starting at 0. int64 for large types, otherwise int32. */
  readonly offsets: Int32Array | BigInt64Array;
  /** The ranges of child values or bytes that the rows cover, one for each range of rows. */
  readonly inner: RowRanges;
}

/**
 * Concatenates the offsets of the rows in `ranges`. Checks only the source offsets that it reads.
 * @param capacities For each source, the number of values or bytes into which its offsets point.
 * @throws {ConversionError} `not-convertible` (`malformed-column`) if offsets decrease or point outside the values.
 *   `out-of-range` (`batch-too-large`) if the rows of a column with int32 offsets add up to at least 2^31 values or bytes, or if
 *   a range of a column with int64 offsets ends at an offset of 2^32 or more.
 */
export function gatherOffsets(
  type: DataType,
  sources: readonly Data[],
  capacities: readonly number[],
  ranges: RowRanges,
): GatheredOffsets {
  const isLarge = DataType.isLargeList(type) || DataType.isLargeBinary(type) || DataType.isLargeUtf8(type);
  const length = totalLength(ranges) + 1;
  const offsets = isLarge ? new BigInt64Array(length) : new Int32Array(length);
  const { count, source } = ranges;
  const inner = { count, source, start: new Uint32Array(count), end: new Uint32Array(count) };
  const words = sources.map(({ valueOffsets }) => wordsOf(valueOffsets));
  writeOffsets({ type, isLarge, words, capacities }, ranges, inner, wordsOf(offsets));
  return { offsets, inner };
}

/** The offsets from which rows are gathered. */
interface OffsetSources {
  readonly type: DataType;
  readonly isLarge: boolean;
  /** Offsets of each source. A 64-bit offset takes two words, low first, because bigint arithmetic is several times slower. */
  readonly words: readonly Int32Array[];
  /** Number of child elements or bytes in each source: the upper bound of its offsets. */
  readonly capacities: readonly number[];
}

/** Row ranges are uint32, so positions in the child are too. */
const MAX_INNER = 2 ** 32 - 1;

function beyondInner(offset: number, type: DataType): ConversionError {
  const message = `The offsets of a ${type} column of a batch must be less than 2^32, found ${offset}.`;
  return new ConversionError("out-of-range", message, { reason: "batch-too-large" });
}

/** Writes the gathered offsets to `target` and the ranges of the covered values to `inner`. */
function writeOffsets(
  { type, isLarge, words, capacities }: OffsetSources,
  { count, source, start, end }: RowRanges,
  inner: RowRanges,
  target: Int32Array,
): void {
  let row = 0;
  let total = 0;
  for (let i = 0; i < count; i++) {
    const to = end[i]!;
    const from = start[i]!;
    // A column without rows may lack its offsets.
    if (from === to) continue;
    const own = words[source[i]!]!;
    const first = isLarge ? int64At(own, from) : own[from]!;
    const last = isLarge ? int64At(own, to) : own[to]!;
    // An offset past the end reads as undefined or NaN, for which both comparisons are false.
    if (!(first >= 0 && last <= capacities[source[i]!]!)) throw malformedOffsets(type);
    const isShifted = isLarge
      ? shiftInt64(own, from, to, total - first, target, row)
      : shiftInt32(own, from, to, total - first, target, row);
    if (!isShifted) throw malformedOffsets(type);
    inner.start[i] = first;
    inner.end[i] = last;
    row += to - from;
    total += last - first;
    if (!isLarge) assertPosition(total, type);
    else if (last > MAX_INNER) throw beyondInner(last, type);
  }
}

/**
 * Copies offsets to `target` and adds `by` to each. The source indices are `from + 1` to `to` (inclusive). The target indices
 * start with `row + 1`. Returns false if the offsets decrease.
 */
function shiftInt32(
  own: Int32Array,
  from: number,
  to: number,
  by: number,
  target: Int32Array,
  row: number,
): boolean {
  let previous = own[from]!;
  for (let at = from + 1, out = row + 1; at <= to; at++, out++) {
    const next = own[at]!;
    if (next < previous) return false;
    target[out] = next + by;
    previous = next;
  }
  return true;
}

/** Does the same as {@link shiftInt32} for 64-bit offsets. One loop for both would be a third slower. */
function shiftInt64(
  own: Int32Array,
  from: number,
  to: number,
  by: number,
  target: Int32Array,
  row: number,
): boolean {
  let previous = int64At(own, from);
  for (let at = from + 1, out = row + 1; at <= to; at++, out++) {
    const next = int64At(own, at);
    if (next < previous) return false;
    target[2 * out] = next + by;
    target[2 * out + 1] = (next + by) / 2 ** 32;
    previous = next;
  }
  return true;
}

/** Reads an int64 offset as a number, exact up to 2^53. Arrow buffers are little-endian. */
function int64At(words: Int32Array, index: number): number {
  return words[2 * index + 1]! * 2 ** 32 + (words[2 * index]! >>> 0);
}

/** Views offsets as 32-bit words: one per 32-bit offset, two per 64-bit offset. */
function wordsOf({ buffer, byteOffset, byteLength }: Int32Array | BigInt64Array): Int32Array {
  return new Int32Array(buffer, byteOffset, byteLength / 4);
}

function malformedOffsets(type: DataType): Error {
  return malformedColumn(type, "offsets decrease, or point beyond the values");
}
