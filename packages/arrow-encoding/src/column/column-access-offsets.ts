import { ArgumentError, ConversionError } from "@tfxio/wire";
import type { Data, DataType } from "apache-arrow";

/** Largest position in a List or Binary column, whose offsets are int32. */
export const MAX_POSITION: number = 2 ** 31 - 1;

/** Offsets of a variable-width column, returned by {@link int32Offsets}. */
export interface Offsets {
  /** int32, length `numRows + 1`, never decreasing. Relative to `base`. */
  readonly offsets: Int32Array;
  /** The first 64-bit offset of the column, which was subtracted from all of its offsets. 0 for 32-bit offsets. */
  readonly base: number;
  /** True if `offsets` is a view of the column's own buffer. */
  readonly borrowed: boolean;
}

/**
 * Checks the offsets of a column of lists or byte strings, and returns them as int32. 64-bit offsets become relative to the first
 * offset, so that a slice fits int32 even if the whole column does not.
 * @param capacity Number of values or bytes into which the offsets point.
 * @throws {ConversionError} `out-of-range` (`batch-too-large`) if the offsets span at least 2^31 values or bytes.
 *   `not-convertible` (`malformed-column`) if an offset is negative, below the previous one, or above `capacity`.
 */
export function int32Offsets(data: Data, capacity: number): Offsets {
  // The Arrow format allows a column without rows to omit its offsets.
  if (data.length === 0 && data.valueOffsets.length === 0) {
    return { offsets: new Int32Array(1), base: 0, borrowed: false };
  }
  const own = data.valueOffsets.subarray(0, data.length + 1) as Int32Array | BigInt64Array;
  const isLarge = own[Symbol.toStringTag] === "BigInt64Array";
  const base = isLarge ? Number(own[0]) : 0;
  const offsets = isLarge ? relativeTo(base, own as BigInt64Array, data.type) : (own as Int32Array);
  let previous = 0;
  for (let index = 0; index < offsets.length; index++) {
    const offset = offsets[index] as number;
    if (offset < previous)
      throw malformedColumn(
        data.type,
        `its offset at index ${index} must be at least ${base + previous}, found ${base + offset}`,
      );
    previous = offset;
  }
  if (base < 0 || base + previous > capacity) {
    throw malformedColumn(
      data.type,
      `its offsets must be from 0 to ${capacity}, found ${own[0]} to ${base + previous}`,
    );
  }
  return { offsets, base, borrowed: !isLarge };
}

/**
 * Checks that a column still has its buffers.
 * @throws {ArgumentError} `invalid-argument` (`detached-buffer`) if the column's batch was transferred to another thread, or its
 *   lease was released.
 */
export function assertAttached({ type, length, valueOffsets, values, children }: Data): void {
  if (length === 0) return;
  // Null columns, structs and fixed-size lists have neither offsets nor values in a buffer of their own.
  const rows: { readonly length: number } | undefined = valueOffsets ?? values;
  if (rows !== undefined && rows.length === 0) {
    throw new ArgumentError(
      "invalid-argument",
      `The ${type} column of ${length} rows has lost its buffers; its batch was probably released or transferred.`,
      { argument: "batch", reason: "detached-buffer" },
    );
  }
  for (const child of children) assertAttached(child);
}

/** Creates the error for a column whose buffers contradict each other: `not-convertible` (`malformed-column`). */
export function malformedColumn(type: DataType, finding: string): ConversionError {
  return new ConversionError("not-convertible", `Malformed ${type} column: ${finding}.`, {
    reason: "malformed-column",
  });
}

/**
 * Checks that a position fits int32.
 * @throws {ConversionError} `out-of-range` (`batch-too-large`).
 */
export function assertPosition(position: number, type: DataType): void {
  if (position <= MAX_POSITION) return;
  throw new ConversionError(
    "out-of-range",
    `A ${type} column of a batch must span fewer than 2^31 values or bytes, found at least ${position}.`,
    {
      reason: "batch-too-large",
    },
  );
}

/**
 * Subtracts `base` from each offset. Reads the offsets as 32-bit halves, because bigint arithmetic is several times slower. Arrow
 * buffers are little-endian.
 */
function relativeTo(base: number, offsets: BigInt64Array, type: DataType): Int32Array {
  const halves = new Int32Array(offsets.buffer, offsets.byteOffset, offsets.length * 2);
  const relative = new Int32Array(offsets.length);
  for (let index = 0; index < relative.length; index++) {
    const high = halves[index * 2 + 1] as number;
    const low = (halves[index * 2] as number) >>> 0;
    const offset = high * 2 ** 32 + low - base;
    assertPosition(offset, type);
    relative[index] = offset;
  }
  return relative;
}
