import { BytesColumn, type DType, type HostValues } from "@tfxio/tensor-adapter";
import { createNumericArray, isBytesColumn, type NumericArray } from "./host-array.js";
import { type RowRanges, totalRows } from "./row-ranges.js";

/** Copies ranges of values, `stride` values to a row, into an array of its own. */
export function gatherValues(
  parts: readonly HostValues[],
  dtype: DType,
  ranges: RowRanges,
  stride: number,
): HostValues {
  if (dtype === "string") return gatherBytes(parts as readonly BytesColumn[], ranges, stride);
  const out = createNumericArray(dtype, totalRows(ranges) * stride);
  let at = 0;
  for (let i = 0; i < ranges.count; i++) {
    const values = parts[ranges.part[i] as number] as NumericArray;
    const start = (ranges.start[i] as number) * stride;
    const length = (ranges.end[i] as number) * stride - start;
    // A subarray costs more than a few copies, and shuffled rows are mostly short.
    if (length <= 16) for (let j = 0; j < length; j++) out[at + j] = values[start + j] as never;
    else out.set(values.subarray(start, start + length) as never, at);
    at += length;
  }
  return out;
}

/** Values `start` to `end` (exclusive) as a view. */
export function sliceValues(values: HostValues, start: number, end: number): HostValues {
  return isBytesColumn(values) ? values.subarray(start, end) : values.subarray(start, end);
}

function gatherBytes(parts: readonly BytesColumn[], ranges: RowRanges, stride: number): BytesColumn {
  const offsets = new Int32Array(totalRows(ranges) * stride + 1);
  let row = 0;
  let size = 0;
  for (let i = 0; i < ranges.count; i++) {
    const from = (parts[ranges.part[i] as number] as BytesColumn).offsets;
    const end = (ranges.end[i] as number) * stride;
    for (let value = (ranges.start[i] as number) * stride; value < end; value++) {
      size += (from[value + 1] as number) - (from[value] as number);
      offsets[++row] = size;
    }
  }
  const data = new Uint8Array(size);
  let at = 0;
  for (let i = 0; i < ranges.count; i++) {
    const part = parts[ranges.part[i] as number] as BytesColumn;
    const start = part.offsets[(ranges.start[i] as number) * stride] as number;
    const end = part.offsets[(ranges.end[i] as number) * stride] as number;
    data.set(part.data.subarray(start, end), at);
    at += end - start;
  }
  return new BytesColumn(data, offsets);
}
