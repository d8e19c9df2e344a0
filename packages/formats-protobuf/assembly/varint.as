// Varints of up to ten bytes. Eight bytes are loaded at once, so bytes after the input may be read.

/** The value of the last varint. */
export let value: u64 = 0;
/** Result of {@link readVarint} if the bytes end within the varint. */
export const CUT: usize = 0;
/** Result of {@link readVarint} for a varint of more than ten bytes. */
export const TOO_LONG: usize = 1;

/** The highest bit of each of eight bytes. It is set if another byte of the varint follows. */
export const CONTINUES: u64 = 0x8080_8080_8080_8080;

/** The address after the varint at `p`, or {@link CUT} or {@link TOO_LONG}. Bits beyond the 64th are dropped. */
// @ts-ignore: decorator
@inline
export function readVarint(p: usize, limit: usize): usize {
  const word = load<u64>(p);
  const ends = ~word & CONTINUES;
  if (ends == 0) return readLong(p, limit, word);
  const numBits = ctz(ends) + 1;
  const next = p + <usize>(numBits >> 3);
  if (next > limit) return CUT;
  value = joined(word & (<u64>-1 >> (64 - numBits)));
  return next;
}

/** Joins the low seven bits of eight bytes. */
// @ts-ignore: decorator
@inline
export function joined(word: u64): u64 {
  const pairs = (word & 0x007f_007f_007f_007f) | ((word & 0x7f00_7f00_7f00_7f00) >> 1);
  const quads = (pairs & 0x0000_3fff_0000_3fff) | ((pairs & 0x3fff_0000_3fff_0000) >> 2);
  return (quads & 0x0fff_ffff) | ((quads & 0x0fff_ffff_0000_0000) >> 4);
}

/** Reads a varint of more than eight bytes, like {@link readVarint}. */
function readLong(p: usize, limit: usize, word: u64): usize {
  if (p + 8 >= limit) return CUT;
  const ninth = <u64>load<u8>(p, 8);
  value = joined(word) | ((ninth & 0x7f) << 56);
  if (ninth < 0x80) return p + 9;
  if (p + 9 >= limit) return CUT;
  const tenth = <u64>load<u8>(p, 9);
  value |= tenth << 63;
  return tenth < 0x80 ? p + 10 : TOO_LONG;
}
