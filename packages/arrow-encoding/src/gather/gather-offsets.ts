import { type Data, DataType } from "apache-arrow";
import { assertPosition, malformedColumn } from "../column/column-access-offsets.js";
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
  const isLarge = DataType.isLargeList(type) || DataType.isLargeBinary(type) || DataType.isLargeUtf8(type);
  const own = sources.map((data) => data.valueOffsets as Int32Array | BigInt64Array);
  const inner = {
    count: ranges.count,
    source: ranges.source,
    start: new Uint32Array(ranges.count),
    end: new Uint32Array(ranges.count),
  };
  const length = totalLength(ranges);
  if (isLarge) {
    const offsets = new BigInt64Array(length + 1);
    writeLarge(type, own as BigInt64Array[], capacities, ranges, inner, offsets);
    return { offsets, inner };
  }
  const offsets = new Int32Array(length + 1);
  writeInt32(type, own as Int32Array[], capacities, ranges, inner, offsets);
  return { offsets, inner };
}

function writeInt32(
  type: DataType,
  sources: readonly Int32Array[],
  capacities: readonly number[],
  { count, source, start, end }: RowRanges,
  inner: RowRanges,
  target: Int32Array,
): void {
  let row = 0;
  let total = 0;
  for (let i = 0; i < count; i++) {
    const to = end[i] as number;
    let from = start[i] as number;
    // A column without rows may lack its offsets.
    if (from === to) continue;
    const own = sources[source[i] as number] as Int32Array;
    const first = own[from] as number;
    const by = total - first;
    let previous = first;
    if (to >= own.length || first < 0) throw malformedOffsets(type);
    while (from++ < to) {
      const next = own[from] as number;
      if (next < previous) throw malformedOffsets(type);
      target[++row] = next + by;
      previous = next;
    }
    if (previous > (capacities[source[i] as number] as number)) throw malformedOffsets(type);
    inner.start[i] = first;
    inner.end[i] = previous;
    total += previous - first;
    assertPosition(total, type);
  }
}

/** Positions in the child are handed on as uint32. */
const MAX_INNER = 2n ** 32n - 1n;

/** The same with 64 bits. */
function writeLarge(
  type: DataType,
  sources: readonly BigInt64Array[],
  capacities: readonly number[],
  { count, source, start, end }: RowRanges,
  inner: RowRanges,
  target: BigInt64Array,
): void {
  let row = 0;
  let total = 0n;
  for (let i = 0; i < count; i++) {
    const to = end[i] as number;
    let from = start[i] as number;
    if (from === to) continue;
    const own = sources[source[i] as number] as BigInt64Array;
    const first = own[from] as bigint;
    const by = total - first;
    let previous = first;
    if (to >= own.length || first < 0n) throw malformedOffsets(type);
    while (from++ < to) {
      const next = own[from] as bigint;
      if (next < previous) throw malformedOffsets(type);
      target[++row] = next + by;
      previous = next;
    }
    if (previous > (capacities[source[i] as number] as number)) throw malformedOffsets(type);
    if (previous > MAX_INNER) assertPosition(Number(previous), type);
    inner.start[i] = Number(first);
    inner.end[i] = Number(previous);
    total += previous - first;
  }
}

function malformedOffsets(type: DataType): Error {
  return malformedColumn(type, "offsets decrease, or point behind the values");
}
