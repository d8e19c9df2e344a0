import { BytesColumn, type DType, type HostValues } from "@tfxio/tensor-adapter";
import { createNumericArray, isBytesColumn, type NumericArray } from "./host-array.js";
import { type RowRanges, totalRows } from "./row-ranges.js";

/** Maximum number of words or bytes that a loop copies faster than `set`. Ranges of shuffled rows are usually shorter. */
const SHORT_COPY = 24;

/** Copies row ranges, with `stride` values per row, into a new array. */
export function gatherValues(
  parts: readonly HostValues[],
  dtype: DType,
  ranges: RowRanges,
  stride: number,
): HostValues {
  if (dtype === "string") return gatherBytes(parts as readonly BytesColumn[], ranges, stride);
  const out = createNumericArray(dtype, totalRows(ranges) * stride);
  const arrays = parts as readonly NumericArray[];
  const rowBytes = out.BYTES_PER_ELEMENT * stride;
  // Copies every dtype as 32-bit words or bytes, because a loop that meets several typed array classes is several times slower.
  if (rowBytes % 4 === 0 && arrays.every(({ byteOffset }) => byteOffset % 4 === 0)) {
    if (rowBytes === 4 && ranges.areSingleRows) pickWords(arrays.map(asWords), ranges, asWords(out));
    else copyWords(arrays.map(asWords), ranges, rowBytes / 4, asWords(out));
  } else {
    copyBytes(arrays.map(asBytes), ranges, rowBytes, asBytes(out));
  }
  return out;
}

/** Returns values `start` to `end` (exclusive) as a view. */
export function sliceValues(values: HostValues, start: number, end: number): HostValues {
  return isBytesColumn(values) ? values.subarray(start, end) : values.subarray(start, end);
}

function pickWords(parts: readonly Int32Array[], { count, source, start }: RowRanges, out: Int32Array): void {
  const only = parts.length === 1 ? parts[0] : undefined;
  if (only === undefined) {
    for (let i = 0; i < count; i++)
      out[i] = (parts[source[i] as number] as Int32Array)[start[i] as number] as number;
  } else {
    for (let i = 0; i < count; i++) out[i] = only[start[i] as number] as number;
  }
}

function copyWords(
  parts: readonly Int32Array[],
  { count, source, start, end }: RowRanges,
  rowWords: number,
  out: Int32Array,
): void {
  let at = 0;
  for (let i = 0; i < count; i++) {
    const from = parts[source[i] as number] as Int32Array;
    const first = (start[i] as number) * rowWords;
    const last = (end[i] as number) * rowWords;
    if (last - first > SHORT_COPY) out.set(from.subarray(first, last), at);
    else for (let k = first, to = at; k < last; k++) out[to++] = from[k] as number;
    at += last - first;
  }
}

function copyBytes(
  parts: readonly Uint8Array[],
  { count, source, start, end }: RowRanges,
  rowBytes: number,
  out: Uint8Array,
): void {
  let at = 0;
  for (let i = 0; i < count; i++) {
    const from = parts[source[i] as number] as Uint8Array;
    const first = (start[i] as number) * rowBytes;
    const last = (end[i] as number) * rowBytes;
    if (last - first > SHORT_COPY) out.set(from.subarray(first, last), at);
    else for (let k = first, to = at; k < last; k++) out[to++] = from[k] as number;
    at += last - first;
  }
}

function gatherBytes(parts: readonly BytesColumn[], ranges: RowRanges, stride: number): BytesColumn {
  const { count, source, start, end } = ranges;
  const offsetsOf = parts.map(({ offsets }) => offsets);
  const offsets = new Int32Array(totalRows(ranges) * stride + 1);
  const byteStart = new Uint32Array(count);
  const byteEnd = new Uint32Array(count);
  let value = 0;
  let size = 0;
  for (let i = 0; i < count; i++) {
    const from = offsetsOf[source[i] as number] as Int32Array;
    const last = (end[i] as number) * stride;
    let k = (start[i] as number) * stride;
    const shift = size - (from[k] as number);
    byteStart[i] = from[k] as number;
    while (k < last) offsets[++value] = (from[++k] as number) + shift;
    byteEnd[i] = from[k] as number;
    size = (from[k] as number) + shift;
  }
  const data = new Uint8Array(size);
  copyBytes(
    parts.map((part) => part.data),
    { count, source, start: byteStart, end: byteEnd },
    1,
    data,
  );
  return new BytesColumn(data, offsets);
}

function asWords({ buffer, byteOffset, byteLength }: NumericArray): Int32Array {
  return new Int32Array(buffer, byteOffset, byteLength >> 2);
}

function asBytes({ buffer, byteOffset, byteLength }: NumericArray): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
