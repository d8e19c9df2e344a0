import { BytesColumn } from "@tfxio/arrow-encoding";
import {
  type DType,
  type HostArrays,
  type NumberDType,
  numberArrays,
  toFloat16,
} from "@tfxio/tensor-adapter";
import { ConversionError } from "@tfxio/wire";

/** Maximum number of elements or bytes. Positions are int32, like the offsets of Arrow lists. */
const MAX_POSITION = 2 ** 31 - 1;

/**
 * Asserts that int32 positions can address `count` elements or bytes.
 * @param unit the unit of `count` in the error message. Default: elements.
 * @throws {ConversionError} `out-of-range` (`batch-too-large`) for a count of 2^31 or more.
 */
export function assertCount(count: number, unit: "elements" | "bytes" = "elements"): void {
  if (count <= MAX_POSITION) return;
  throw new ConversionError(
    "out-of-range",
    `A field must have fewer than 2^31 ${unit} in one batch, found ${count}. Use smaller batches.`,
    { reason: "batch-too-large" },
  );
}

/** Returns a new array with `from[positions[i]]` for each `i`. */
export function gatherPositions(from: Int32Array, positions: Int32Array): Int32Array {
  const gathered = new Int32Array(positions.length);
  for (let index = 0; index < positions.length; index++) gathered[index] = from[positions[index]!]!;
  return gathered;
}

/**
 * Copies the values at these positions, in the order of the positions. A position may occur several times.
 * @throws {ConversionError} `out-of-range` (`batch-too-large`) for byte strings of 2^31 bytes or more in total.
 */
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

/** Copies byte strings in two passes: the first computes the offsets, the second copies the bytes. */
function gatherBytes({ data, offsets }: BytesColumn, positions: Int32Array): BytesColumn {
  const ends = new Int32Array(positions.length + 1);
  let total = 0;
  for (let index = 0; index < positions.length; index++) {
    const position = positions[index]!;
    total += offsets[position + 1]! - offsets[position]!;
    assertCount(total, "bytes");
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

/**
 * Returns a number in the form that arrays from {@link emptyNumbers} store: for float16, the bits of the nearest float16 value;
 * for other types, the number itself.
 */
export function storedNumber<Value extends number | bigint>(value: Value, dtype: DType): Value | number {
  return dtype === "float16" ? toFloat16(Number(value)) : value;
}

/** Returns a new array of zeros for numbers of this type. */
export function emptyNumbers<D extends NumberDType>(dtype: D, length: number): HostArrays[D] {
  return new numberArrays[dtype](length);
}

/**
 * Widens positions to int64. Writes 32-bit halves, which is several times faster than converting to bigints. Assumes a
 * little-endian machine, as arrow-js does.
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

/** Returns `length` byte strings: a copy of `values[i]` at index `positions[i]`, and `filler` at every other index. */
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

/** Returns the positions 0, 1, …, `length - 1`. */
export function countingUp(length: number): Int32Array {
  const positions = new Int32Array(length);
  for (let index = 0; index < length; index++) positions[index] = index;
  return positions;
}
