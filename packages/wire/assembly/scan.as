// A strict parser of the protobuf wire format, like src/kernels/typescript/message-scan.ts. Functions that take `start` and
// `end` require `start <= end` and read nothing from `end` on. They return the position after the bytes that they read, or 0
// with `errorAt` set.

/** Position of the last failure. */
export let errorAt: usize = 0;
/** The number that the last call of `readTag` or `readLength` read, if it succeeded. */
export let scanned: u32 = 0;

export function fail(at: usize): usize {
  errorAt = at;
  return 0;
}

/** Reads a field's tag, of at most 32 bits in at most 5 bytes. Fails if the field number is 0. */
export function readTag(start: usize, end: usize): usize {
  let result: u32 = 0;
  let shift: u32 = 0;
  for (let p = start; p < end && shift < 35; p++, shift += 7) {
    const byte: u32 = load<u8>(p);
    result |= (byte & 127) << shift;
    if (byte < 128) {
      scanned = result;
      return result >> 3 == 0 || (shift == 28 && byte > 15) ? fail(start) : p + 1;
    }
  }
  return fail(start);
}

/** Reads the length of a field, in at most 5 bytes. Fails if fewer bytes than this length follow. */
export function readLength(start: usize, end: usize): usize {
  let result: u64 = 0;
  let shift: u64 = 0;
  for (let p = start; p < end && shift < 35; p++, shift += 7) {
    const byte: u64 = load<u8>(p);
    result |= (byte & 127) << shift;
    if (byte < 128) {
      scanned = <u32>result;
      return result > <u64>(end - p - 1) ? fail(start) : p + 1;
    }
  }
  return fail(start);
}

/** Skips a varint of at most 10 bytes. */
export function passVarint(start: usize, end: usize): usize {
  const limit = min(end - start, 10);
  for (let i: usize = 0; i < limit; i++) if (load<u8>(start + i) < 128) return start + i + 1;
  return fail(start);
}

/** Skips the varints that fill `start` to `end` exactly. */
export function passVarints(start: usize, end: usize): usize {
  let p = start;
  while (p != 0 && p < end) {
    if (end - p >= 16 && i8x16.bitmask(v128.load(p)) == 0) p += 16;
    else p = passVarint(p, end);
  }
  return p;
}

/** Skips the payload of a field with this tag. Fails if groups are nested more than `depth` deep. */
export function passField(tag: u32, start: usize, end: usize, depth: u32): usize {
  switch (tag & 7) {
    case 0:
      return passVarint(start, end);
    case 1:
      return end - start < 8 ? fail(start) : start + 8;
    case 2: {
      const p = readLength(start, end);
      return p == 0 ? 0 : p + scanned;
    }
    case 3:
      return passGroup(tag, start, end, depth);
    case 5:
      return end - start < 4 ? fail(start) : start + 4;
    default:
      return fail(start);
  }
}

function passGroup(tag: u32, start: usize, end: usize, depth: u32): usize {
  if (depth == 0) return fail(start);
  let p = start;
  while (p < end) {
    const at = p;
    p = readTag(p, end);
    if (p == 0) return 0;
    const inner = scanned;
    if ((inner & 7) == 4) return inner == tag + 1 ? p : fail(at);
    p = passField(inner, p, end, depth - 1);
    if (p == 0) return 0;
  }
  return fail(start);
}

/** Skips valid UTF-8 text, which has no overlong forms, no surrogates and nothing above U+10FFFF. */
export function passUtf8(start: usize, end: usize): usize {
  let p = start;
  while (p < end) {
    const lead: u32 = load<u8>(p);
    if (lead < 0x80) {
      p++;
      continue;
    }
    const size: usize = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
    if (size == 0 || end - p < size) return fail(p);
    const second: u32 = load<u8>(p, 1);
    const least: u32 = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
    const most: u32 = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
    if (second < least || second > most) return fail(p);
    for (let i: usize = 2; i < size; i++) if ((load<u8>(p + i) & 0xc0) != 0x80) return fail(p);
    p += size;
  }
  return p;
}

export function isAscii(start: usize, length: u32): bool {
  for (let i: u32 = 0; i < length; i++) if (load<u8>(start + i) > 127) return false;
  return true;
}

/** Represents a length that is not a canonical varint of one or two bytes. Larger than any number of remaining bytes. */
export const LONG: u32 = 0x7fff_ffff;

/**
 * The length at `p` if it is a canonical varint of one or two bytes, else `LONG`. Always reads two bytes, so compare the
 * result plus its `shortSize` with the number of remaining bytes before use.
 */
// @ts-ignore: decorator
@inline
export function shortLength(p: usize): u32 {
  const pair: u32 = load<u16>(p);
  if ((pair & 0x80) == 0) return pair & 0x7f;
  return pair - 0x100 < 0x7f00 ? (pair & 0x7f) | ((pair >> 8) << 7) : LONG;
}

/** Number of bytes that encode `length`, a result of `shortLength`. */
// @ts-ignore: decorator
@inline
export function shortSize(length: u32): u32 {
  return 1 + <u32>(length > 127);
}

/**
 * Skips the length at `p`, which must equal the number of bytes after it up to `end`; otherwise returns 0. `errorAt` may
 * change.
 */
// @ts-ignore: decorator
@inline
export function passLengthTo(end: usize, p: usize): usize {
  const length = <u32>(end - p) - 1;
  if (length > 127) return passLongLengthTo(end, p);
  return load<u8>(p) == length ? p + 1 : 0;
}

function passLongLengthTo(end: usize, p: usize): usize {
  const next = p < end ? readLength(p, end) : 0;
  return next != 0 && scanned == <u32>(end - next) ? next : 0;
}
