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

/** Copies the values at these positions. */
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
    // For short values, creating a view costs more than copying the bytes one by one.
    if (end - start > 32) bytes.set(data.subarray(start, end), at);
    else for (let from = start; from < end; from++) bytes[at++] = data[from]!;
  }
  return new BytesColumn(bytes, ends);
}

/** A new array of zeros for numbers of this type. */
export function emptyNumbers<D extends NumberDType>(dtype: D, length: number): HostArrays[D] {
  return new numberArrays[dtype](length);
}

/**
 * Widens positions to int64 by writing 32-bit halves, several times faster than bigints. Assumes little-endian, as arrow-js does.
 */
export function toInt64(positions: Int32Array): BigInt64Array {
  const wide = new BigInt64Array(positions.length);
  const halves = new Int32Array(wide.buffer);
  for (let index = 0; index < positions.length; index++) {
    const position = positions[index]!;
    halves[2 * index] = position;
    halves[2 * index + 1] = position >> 31;
  }
  return wide;
}

/** `length` byte strings: `values[i]` at `positions[i]`, and `filler` everywhere else. */
export function fillBytes(
  values: BytesColumn,
  positions: Int32Array,
  length: number,
  filler: Uint8Array,
): BytesColumn {
  // Appends the filler as one more value, so that filling becomes a gather.
  const start = values.offsets[0]!;
  const end = values.offsets[values.length]!;
  const data = new Uint8Array(end - start + filler.length);
  data.set(values.data.subarray(start, end));
  data.set(filler, end - start);
  const offsets = new Int32Array(values.length + 2);
  for (let index = 0; index <= values.length; index++) offsets[index] = values.offsets[index]! - start;
  offsets[values.length + 1] = data.length;
  const from = new Int32Array(length).fill(values.length);
  for (let index = 0; index < positions.length; index++) from[positions[index]!] = index;
  return gatherBytes(new BytesColumn(data, offsets), from);
}

/** The positions 0, 1, …, `length - 1`. */
export function countingUp(length: number): Int32Array {
  const positions = new Int32Array(length);
  for (let index = 0; index < length; index++) positions[index] = index;
  return positions;
}
