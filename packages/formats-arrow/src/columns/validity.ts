import type { ArrayNode } from "../metadata/message.js";
import { type ArrayContext, assertLongEnough, contradiction } from "./typed-arrays.js";

export interface NullBits {
  readonly nullCount: number;
  /** A bit for each element, LSB first, set if the element has a value. Empty if no element is null. */
  readonly bitmap: Uint8Array;
}

export const noNulls: NullBits = { nullCount: 0, bitmap: new Uint8Array(0) };

/**
 * Reads and counts the nulls of an array. A declared count of -1 means that the writer did not count them.
 * @throws {RecordError} `corrupt-record` (`array`) if the bitmap has a different number of nulls, or is too short.
 */
export function nullBitsOf(
  bytes: Uint8Array,
  { length, nullCount }: ArrayNode,
  context: ArrayContext,
): NullBits {
  if (bytes.length === 0 && nullCount <= 0) return noNulls;
  if (length === 0) return noNulls;
  assertLongEnough(bytes, Math.ceil(length / 8), context);
  const counted = length - countOnes(bytes, length);
  if (nullCount >= 0 && counted !== nullCount) {
    throw contradiction(`declares ${nullCount} nulls, but its validity bitmap has ${counted}`, context);
  }
  return counted === 0 ? noNulls : { nullCount: counted, bitmap: bytes.subarray(0, Math.ceil(length / 8)) };
}

export function isValidAt({ bitmap, nullCount }: NullBits, index: number): boolean {
  return nullCount === 0 || ((bitmap[index >> 3] as number) & (1 << (index & 7))) !== 0;
}

/** Returns the number of set bits among the first `numBits` bits, LSB first. */
export function countOnes(bytes: Uint8Array, numBits: number): number {
  let count = 0;
  const numWhole = numBits >> 3;
  for (let at = 0; at < numWhole; at++) count += ONES[bytes[at] as number] as number;
  const rest = numBits & 7;
  return rest === 0 ? count : count + (ONES[(bytes[numWhole] as number) & ((1 << rest) - 1)] as number);
}

/** Number of set bits, for each byte value. */
const ONES = Uint8Array.from({ length: 256 }, (_, byte) => {
  let count = 0;
  for (let bits = byte; bits > 0; bits >>= 1) count += bits & 1;
  return count;
});
