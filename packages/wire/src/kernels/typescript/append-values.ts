import { type ExampleColumn, SLACK } from "./example-column.js";

/** Result of appending values to a column. */
export const Appended = {
  ok: 0,
  /** The bytes are malformed or in a form that the fast path does not handle. The strict path decides which. */
  unusual: 1,
  /** The column would exceed int32 offsets or the maximum number of steps, or memory could not be allocated. */
  tooLarge: 2,
} as const;
/** One of the values of {@link Appended}. */
export type Appended = (typeof Appended)[keyof typeof Appended];

/** Number of floats below which copying word by word is faster than `set` with a new view. */
const FEW_FLOATS = 32;
/** Maximum number of bytes for which copying by words is faster than `set`. */
const FEW_BYTES = 64;

/** Appends the little-endian floats from `start` to `end` (exclusive). `end - start` must be a multiple of 4. */
export function appendFloats(
  column: ExampleColumn,
  bytes: Uint8Array,
  view: DataView,
  start: number,
  end: number,
): Appended {
  const count = (end - start) >> 2;
  const index = column.numValues;
  if (index + count > column.valueCapacity && !column.reserveValues(count)) return Appended.tooLarge;
  if (count < FEW_FLOATS) {
    const { words } = column;
    for (let i = 0; i < count; i++) words[index + i] = view.getInt32(start + i * 4, true);
  } else {
    column.bytes.set(bytes.subarray(start, end), index * 4);
  }
  column.numValues = index + count;
  return Appended.ok;
}

/**
 * Appends the varints from `start` to `end` (exclusive) as int64. Writes pairs of 32-bit words instead of creating BigInts.
 * Bits above the 64th are dropped, as in protobuf.
 */
export function appendVarints(
  column: ExampleColumn,
  bytes: Uint8Array,
  start: number,
  end: number,
): Appended {
  // There are at most as many values as bytes, so the record's size bounds the memory.
  const most = end - start;
  if (column.numValues + most > column.valueCapacity && !column.reserveValues(most)) return Appended.tooLarge;
  const { words } = column;
  let w = column.numValues * 2;
  let p = start;
  while (p < end) {
    let low = bytes[p++]!;
    let high = 0;
    if (low > 127) {
      let byte = bytes[p++]!;
      low = (low & 127) | ((byte & 127) << 7);
      if (byte > 127) {
        byte = bytes[p++]!;
        low |= (byte & 127) << 14;
        if (byte > 127) {
          byte = bytes[p++]!;
          low |= (byte & 127) << 21;
          if (byte > 127) {
            byte = bytes[p++]!;
            low |= byte << 28;
            high = (byte & 127) >> 4;
            for (let shift = 3; byte > 127; shift += 7) {
              if (shift > 31) return Appended.unusual;
              byte = bytes[p++]!;
              high |= (byte & 127) << shift;
            }
          }
        }
      }
      if (p > end) return Appended.unusual;
    }
    words[w] = low;
    words[w + 1] = high;
    w += 2;
  }
  column.numValues = w >> 1;
  return Appended.ok;
}

/** Appends one value of a bytes column: the bytes from `start` to `end` (exclusive). */
export function appendBytes(
  column: ExampleColumn,
  bytes: Uint8Array,
  view: DataView,
  start: number,
  end: number,
): Appended {
  const length = end - start;
  const used = column.numBytes;
  const index = column.numValues;
  if (index === column.valueCapacity && !column.reserveValues(1)) return Appended.tooLarge;
  if (used + length + SLACK > column.bytes.length && !column.reserveBytes(length)) return Appended.tooLarge;
  if (length > FEW_BYTES) {
    column.bytes.set(bytes.subarray(start, end), used);
  } else if (end + 3 <= bytes.length) {
    const target = column.view;
    for (let i = 0; i < length; i += 4) target.setInt32(used + i, view.getInt32(start + i, true), true);
  } else {
    for (let i = 0; i < length; i++) column.bytes[used + i] = bytes[start + i]!;
  }
  column.numBytes = used + length;
  column.valueOffsets[index + 1] = used + length;
  column.numValues = index + 1;
  return Appended.ok;
}

/** Appends the values of a BytesList that contains only `value` fields shorter than 16 KiB. Any other list is `unusual`. */
export function appendBytesList(
  column: ExampleColumn,
  bytes: Uint8Array,
  view: DataView,
  start: number,
  end: number,
): Appended {
  let p = start;
  while (p < end) {
    if (end - p < 2 || bytes[p] !== 0x0a) return Appended.unusual;
    let length = bytes[p + 1]!;
    p += 2;
    if (length > 127) {
      const more = bytes[p++]!;
      if (more > 127) return Appended.unusual;
      length = (length & 127) | (more << 7);
    }
    if (length > end - p) return Appended.unusual;
    const result = appendBytes(column, bytes, view, p, p + length);
    if (result !== Appended.ok) return result;
    p += length;
  }
  return Appended.ok;
}
