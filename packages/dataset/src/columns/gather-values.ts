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
    const end = (ranges.end[i] as number) * stride;
    // Shuffled rows are short, and a subarray costs more than a few copies.
    if (end - start === 1) out[at++] = values[start] as never;
    else if (end - start <= 16) for (let j = start; j < end; j++) out[at++] = values[j] as never;
    else {
      out.set(values.subarray(start, end) as never, at);
      at += end - start;
    }
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
