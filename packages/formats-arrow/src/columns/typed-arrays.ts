import { damaged } from "../metadata/damage.js";
import type { FlatPlace } from "../flatbuffer/flat-table.js";

/** The location of an array, for errors, and its byte order. */
export interface ArrayContext {
  readonly path: string;
  readonly place: FlatPlace;
  readonly isBigEndian: boolean;
}

export interface NumberArrayType<Values> {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): Values;
}

/**
 * Returns the first `length` elements of a buffer. Borrows the buffer if it is aligned and needs no byte swapping; otherwise
 * copies it.
 * @param units Byte widths of the numbers that make up a value (an interval has several), for byte swapping. Default: the width
 * of an element.
 * @throws {RecordError} `corrupt-record` (`array`) when the buffer is too short.
 */
export function elementsOf<Values>(
  Type: NumberArrayType<Values>,
  bytes: Uint8Array,
  length: number,
  context: ArrayContext,
  units: readonly number[] = [Type.BYTES_PER_ELEMENT],
): Values {
  const width = Type.BYTES_PER_ELEMENT;
  assertLongEnough(bytes, length * width, context);
  const isSwapped = context.isBigEndian && units.some((unit) => unit > 1);
  const isBorrowed = !isSwapped && bytes.byteOffset % width === 0;
  const own = isBorrowed ? bytes : bytes.slice(0, length * width);
  if (isSwapped) reverseUnits(own, units);
  return new Type(own.buffer, own.byteOffset, length);
}

/** Checks that a buffer has the bytes that its array needs. @throws {RecordError} `corrupt-record` (`array`). */
export function assertLongEnough(bytes: Uint8Array, needed: number, { path, place }: ArrayContext): void {
  if (bytes.length >= needed) return;
  throw damaged(
    place,
    `a buffer of "${path}" has ${bytes.length} bytes, but its array needs ${needed}`,
    "array",
  );
}

/** Returns the error for an array that contradicts itself. */
export function contradiction(problem: string, { path, place }: ArrayContext): Error {
  return damaged(place, `column "${path}" ${problem}`, "array");
}

function reverseUnits(bytes: Uint8Array, units: readonly number[]): void {
  for (let at = 0; at < bytes.length; ) {
    for (const unit of units) {
      bytes.subarray(at, at + unit).reverse();
      at += unit;
    }
  }
}
