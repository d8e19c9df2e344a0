import { ArgumentError } from "../errors.js";

/**
 * `start` and `end` of a slice, clipped to `byteLength`; `end` is never below `start`.
 * @throws {ArgumentError} `invalid-argument` when one is negative or no integer.
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

/** @throws {ArgumentError} `invalid-argument` when `offset` is negative or no integer. */
export function assertByteOffset(argument: string, offset: number): void {
  if (Number.isSafeInteger(offset) && offset >= 0) return;
  throw new ArgumentError("invalid-argument", `${argument} is a byte offset from 0 on, found ${offset}.`, {
    argument,
  });
}
