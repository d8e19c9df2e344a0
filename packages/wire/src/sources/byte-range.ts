import { anInteger, assertArgument, type Rule } from "../checks/index.js";

/**
 * Clips the range of a slice to `byteLength`. The resulting `end` (exclusive) is never below `start`.
 * @throws {ArgumentError} `invalid-argument` if `start` or `end` is negative or not an integer.
 */
export function clippedRange(
  start: number,
  end: number,
  byteLength: number = Number.MAX_SAFE_INTEGER,
): { readonly start: number; readonly end: number } {
  assertByteOffset("start", start);
  assertByteOffset("end", end);
  const clippedStart = Math.min(start, byteLength);
  return { start: clippedStart, end: Math.max(clippedStart, Math.min(end, byteLength)) };
}

/** Accepts a byte offset in a file or a number of bytes: a safe integer of at least 0. */
export const aByteOffset: Rule = anInteger(0);

/** Asserts that `offset` is an integer of at least 0. @throws {ArgumentError} `invalid-argument` */
export function assertByteOffset(argument: string, offset: number): void {
  assertArgument(argument, offset, aByteOffset);
}
