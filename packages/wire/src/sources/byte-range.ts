import { anInteger, assertArgument, type Rule } from "../checks/index.js";

/**
 * `start` and `end` of a slice, clipped to `byteLength`. `end` is never below `start`.
 * @throws {ArgumentError} `invalid-argument` when one is negative or not an integer.
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

/** An offset in a file or a number of bytes. */
export const aByteOffset: Rule = anInteger(0);

/** @throws {ArgumentError} `invalid-argument` when `offset` is negative or not an integer. */
export function assertByteOffset(argument: string, offset: number): void {
  assertArgument(argument, offset, aByteOffset);
}
