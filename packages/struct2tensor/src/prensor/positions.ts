import { BytesColumn } from "@tfxio/arrow-encoding";
import { type DType, type HostArrays, type NumberDType, numberArrays } from "@tfxio/tensor-adapter";
import { ConversionError } from "@tfxio/wire";

const MAX_POSITION = 2 ** 31 - 1;

/** @throws {ConversionError} `out-of-range` (`batch-too-large`) for a count that int32 positions cannot hold. */
export function assertCount(count: number): void {
  if (count <= MAX_POSITION) return;
  throw new ConversionError(
    "out-of-range",
    `A field would have ${count} elements in one batch; the most is 2^31 - 1. Use smaller batches.`,
    { reason: "batch-too-large" },
  );
}

/** `from[positions[i]]` for each i. */
export function gatherPositions(from: Int32Array, positions: Int32Array): Int32Array {
  const gathered = new Int32Array(positions.length);
  for (let index = 0; index < positions.length; index++) gathered[index] = from[positions[index]!]!;
  return gathered;
}

/** The values at these positions, copied. */
export function gatherValues<D extends DType>(
  dtype: D,
  values: HostArrays[D],
  positions: Int32Array,
): HostArrays[D] {
  if (values instanceof BytesColumn) return gatherBytes(values, positions) as HostArrays[D];
  const from = values as Int32Array;
  const gathered = emptyNumbers(dtype as NumberDType, positions.length) as Int32Array;
  for (let index = 0; index < positions.length; index++) gathered[index] = from[positions[index]!]!;
  return gathered as unknown as HostArrays[D];
}

function gatherBytes({ data, offsets }: BytesColumn, positions: Int32Array): BytesColumn {
  const ends = new Int32Array(positions.length + 1);
  let total = 0;
  for (let index = 0; index < positions.length; index++) {
    const position = positions[index]!;
    total += offsets[position + 1]! - offsets[position]!;
    assertCount(total);
    ends[index + 1] = total;
  }
  const bytes = new Uint8Array(total);
  for (let index = 0; index < positions.length; index++) {
    const position = positions[index]!;
    const start = offsets[position]!;
    const end = offsets[position + 1]!;
    let at = ends[index]!;
    // Values are short, and a copy of a view costs more than these few bytes.
    if (end - start > 32) bytes.set(data.subarray(start, end), at);
    else for (let from = start; from < end; from++) bytes[at++] = data[from]!;
  }
  return new BytesColumn(bytes, ends);
}

/** A new array of zeros for numbers of this type. */
export function emptyNumbers<D extends NumberDType>(dtype: D, length: number): HostArrays[D] {
  return new numberArrays[dtype](length);
}

/** 0, 1, … below `length`. */
export function countingUp(length: number): Int32Array {
  const positions = new Int32Array(length);
  for (let index = 0; index < length; index++) positions[index] = index;
  return positions;
}
