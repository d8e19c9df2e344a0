// Tags and lengths.
import { CUT, readVarint, value, TOO_LONG } from "./varint";

export const WIRE_VARINT: u32 = 0;
export const WIRE_FIXED64: u32 = 1;
export const WIRE_LENGTH: u32 = 2;
export const WIRE_START_GROUP: u32 = 3;
export const WIRE_END_GROUP: u32 = 4;
export const WIRE_FIXED32: u32 = 5;

/** A tag has at most 32 bits, so it has at most five bytes. A fifth byte is at most `MAX_LAST_TAG_BYTE`. */
const MAX_TAG_BYTES: usize = 5;
const MAX_LAST_TAG_BYTE: u32 = 0x0f;

/** {@link readTag} sets this to the tag that it has read. */
export let longTag: u32 = 0;

/**
 * The address after a tag of several bytes; {@link CUT} if the bytes end within the tag, {@link TOO_LONG} if it has more than 32
 * bits. A tag that does not end within five bytes is damaged, whatever follows.
 */
export function readTag(p: usize, limit: usize): usize {
  const next = readVarint(p, limit);
  if (next == CUT) return limit - p < MAX_TAG_BYTES ? CUT : TOO_LONG;
  if (next == TOO_LONG || next - p > MAX_TAG_BYTES) return TOO_LONG;
  if (next - p == MAX_TAG_BYTES && <u32>load<u8>(next - 1) > MAX_LAST_TAG_BYTE) return TOO_LONG;
  longTag = <u32>value;
  return next;
}

/** {@link readLength} sets this to the end of the bytes that follow the length. */
export let lengthEnd: usize = 0;

/**
 * The address after a length. {@link CUT} if the length, or the bytes that it counts, would end after `limit`. {@link TOO_LONG}
 * if the varint of the length has more than ten bytes.
 */
// @ts-ignore: decorator
@inline
export function readLength(p: usize, limit: usize): usize {
  let length = <u64>load<u8>(p);
  let next = p + 1;
  if (length >= 0x80 || p >= limit) {
    next = readVarint(p, limit);
    if (next <= TOO_LONG) return next;
    length = value;
  }
  if (length > <u64>(limit - next)) return CUT;
  lengthEnd = next + <usize>length;
  return next;
}
