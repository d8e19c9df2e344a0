import { ArgumentError, ConversionError } from "@tfxio/wire";
import type { Data, DataType } from "apache-arrow";

/** Positions are int32 throughout, as in List and Binary. */
export const MAX_POSITION: number = 2 ** 31 - 1;

/** Offsets of a variable-width column: {@link int32Offsets}. */
export interface Offsets {
  /** int32, one more than there are rows. */
  readonly offsets: Int32Array;
  /** What was taken off the column's own offsets: 0 unless those are 64 bits wide. */
  readonly base: number;
  /** True when `offsets` are the column's own buffer. */
  readonly borrowed: boolean;
}

/**
 * Offsets of a List, Binary or Utf8 column, large or not, which are checked here: nothing behind them has to be.
 * Large ones are made relative to the first, so that a slice of a column beyond int32 still fits.
 * @param capacity number of values or bytes that the offsets point into.
 * @throws {ConversionError} `out-of-range` (`batch-too-large`) when they span 2^31 or more; `not-convertible`
 * (`malformed-column`) when they decrease or point outside.
 */
export function int32Offsets(data: Data, capacity: number): Offsets {
  // The Arrow format lets a column of no rows leave out its offsets.
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
    if (offset < previous) throw malformedColumn(data.type, `offset ${offset} follows ${previous}`);
    previous = offset;
  }
  if (base < 0 || base + previous > capacity) {
    throw malformedColumn(data.type, `offset ${base + previous} points behind ${capacity}`);
  }
  return { offsets, base, borrowed: !isLarge };
}

/**
 * @throws {ArgumentError} `invalid-argument` (`detached-buffer`) for a column of a batch that was given to another thread,
 * or whose lease was released: its rows are gone.
 */
export function assertAttached({ type, length, valueOffsets, values, children }: Data): void {
  if (length === 0) return;
  // Nulls, structs and lists of fixed size have no buffer that every row is in.
  const rows: { readonly length: number } | undefined = valueOffsets ?? values;
  if (rows !== undefined && rows.length === 0) {
    throw new ArgumentError(
      "invalid-argument",
      `A ${type} column of ${length} rows has lost its buffers: was its batch released or given away before?`,
      { argument: "batch", reason: "detached-buffer" },
    );
  }
  for (const child of children) assertAttached(child);
}

/** A column whose buffers contradict each other. */
export function malformedColumn(type: DataType, finding: string): ConversionError {
  return new ConversionError("not-convertible", `Malformed ${type} column: ${finding}.`, {
    reason: "malformed-column",
  });
}

/** @throws {ConversionError} `out-of-range` (`batch-too-large`) for a position beyond int32. */
export function assertPosition(position: number, type: DataType): void {
  if (position <= MAX_POSITION) return;
  throw new ConversionError(
    "out-of-range",
    `A ${type} column of a batch spans 2^31 values or bytes or more.`,
    {
      reason: "batch-too-large",
    },
  );
}

/** Goes by 32-bit halves: arithmetic on bigint is several times slower. Arrow buffers are little-endian. */
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
