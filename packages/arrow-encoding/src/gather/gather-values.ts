import { ArrayStatus, arrayKernels, type ValueArray } from "@tfxio/wire/kernels";
import type { DataType } from "apache-arrow";
import { malformedColumn } from "../column/column-access-offsets.js";
import { type RowRanges, totalLength } from "./row-ranges.js";

/** A kernel call is faster than a loop if, on average, at least this many consecutive ranges have the same source. */
const RANGES_PER_CALL = 16;
/** Up to this number of words or bytes, a loop is faster than `set`. */
const SHORT_COPY = 24;

/**
 * Concatenates the values in `ranges` in new memory. Each value has `stride` array elements.
 * @throws {ConversionError} `not-convertible` (`malformed-column`) if a column has fewer values than its rows require.
 */
export function gatherValues(
  type: DataType,
  sources: readonly ValueArray[],
  stride: number,
  ranges: RowRanges,
): ValueArray {
  const ArrayType = (sources[0]?.constructor ?? type.ArrayType) as new (length: number) => ValueArray;
  const out = new ArrayType(totalLength(ranges) * stride);
  const numCalls = sources.length === 1 ? 1 : numTurns(ranges);
  const isGathered =
    numCalls * RANGES_PER_CALL <= ranges.count
      ? gatherTurns(sources, stride, ranges, out)
      : copyRanges(sources, stride, ranges, out);
  if (!isGathered) throw malformedColumn(type, "it has fewer values than its rows require");
  return out;
}

/** Counts the runs of consecutive ranges with the same source. */
function numTurns({ count, source }: RowRanges): number {
  let turns = Math.min(count, 1);
  for (let i = 1; i < count; i++) if (source[i] !== source[i - 1]) turns++;
  return turns;
}

/** Gathers with one kernel call per run of ranges from one source. Returns false if a source has too few values. */
function gatherTurns(
  sources: readonly ValueArray[],
  stride: number,
  { count, source, start, end }: RowRanges,
  out: ValueArray,
): boolean {
  for (let from = 0, at = 0; from < count; ) {
    let length = 0;
    let to = from;
    for (; to < count && source[to] === source[from]; to++) {
      length += (end[to]! - start[to]!) * stride;
    }
    const values = sources[source[from]!]!;
    const target = out.subarray(at, at + length);
    const [starts, ends] = [start.subarray(from, to), end.subarray(from, to)];
    const status = arrayKernels().gatherRanges(values, stride, starts, ends, target);
    if (status !== ArrayStatus.ok) return false;
    from = to;
    at += length;
  }
  return true;
}

/**
 * Gathers range by range, which is faster if few consecutive ranges share a source. Returns false if a source has too few values.
 */
function copyRanges(
  sources: readonly ValueArray[],
  stride: number,
  { count, source, start, end }: RowRanges,
  out: ValueArray,
): boolean {
  // All values are viewed as words or bytes, because a loop over many typed array classes is several times slower.
  const areWords =
    (out.BYTES_PER_ELEMENT * stride) % 4 === 0 && sources.every(({ byteOffset }) => byteOffset % 4 === 0);
  const viewOf: (values: ValueArray) => Int32Array | Uint8Array = areWords ? asWords : asBytes;
  const views = sources.map(viewOf);
  const target = viewOf(out);
  const scale = (stride * out.BYTES_PER_ELEMENT) / target.BYTES_PER_ELEMENT;
  let at = 0;
  for (let i = 0; i < count; i++) {
    const values = views[source[i]!]!;
    const first = start[i]! * scale;
    const last = end[i]! * scale;
    if (last > values.length) return false;
    if (last - first > SHORT_COPY) target.set(values.subarray(first, last), at);
    else for (let from = first, to = at; from < last; from++, to++) target[to] = values[from]!;
    at += last - first;
  }
  return true;
}

const asWords = ({ buffer, byteOffset, byteLength }: ValueArray): Int32Array =>
  new Int32Array(buffer, byteOffset, byteLength / 4);
const asBytes = ({ buffer, byteOffset, byteLength }: ValueArray): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);
