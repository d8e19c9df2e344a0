// CRC-32C (Castagnoli, RFC 3720). WebAssembly has no instructions for it or for multiplying polynomials.

/** The polynomial, bit-reversed. */
const POLYNOMIAL: u32 = 0x82f6_3b78;
/** Sixteen tables of 256 words: entry b of table t is the CRC of byte b followed by t zero bytes. */
const SLICES: usize = memory.data(16 * 1024, 64);

/**
 * Long input is folded ("Chorba", Russell, 2024). A multiple of `POLYNOMIAL` is x^266 + x^143 + x^121 + x^88 + x^71 + 1.
 * Squaring a polynomial over GF(2) doubles its exponents. So multiplying all exponents by eight gives another multiple. Therefore
 * the CRC stays the same if a byte is removed and added to the bytes that lie 123, 145, 178, 195 and 266 positions later. The
 * multiple above has a low degree for one with six terms, but not so low that folding loads bytes that were stored a moment ago.
 * A load of bytes from two recent stores would have to wait for both.
 */
const REACH: usize = 272;
/** Shorter input is not worth folding. */
const LEAST_FOLDED: usize = 304;
/** Number of bytes that are folded before the last `REACH` bytes are copied to the start of a buffer. */
const PIECE: usize = 4096;
/** Number of bytes that one step of the loop folds. */
const STEP: usize = 32;
/**
 * Each buffer holds the last `REACH` folded bytes of the previous piece, then the folded bytes of a piece. `FIRST` begins with
 * zeros, because no piece precedes the first one of an input.
 */
const FIRST: usize = memory.data(2 * 272 + 4096, 64);
const NEXT: usize = memory.data(2 * 272 + 4096, 64);
/** How many of the bytes after the last piece are folded too (see `foldedRest`). */
const NEARER: usize = 160;
/** The bytes that remain after all folding. */
const REST: usize = memory.data(160, 64);

/** Fills the tables. Called once per instance. */
export function makeCrcTables(): void {
  for (let byte: u32 = 0; byte < 256; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >> 1) ^ (crc & 1 ? POLYNOMIAL : 0);
    store<u32>(SLICES + (byte << 2), crc);
  }
  for (let entry: usize = 1024; entry < 16 * 1024; entry += 4) {
    const crc = load<u32>(SLICES + entry - 1024);
    store<u32>(SLICES + entry, load<u32>(SLICES + ((crc & 255) << 2)) ^ (crc >> 8));
  }
}

/** A checksum in the masked form that TFRecord files store. */
// @ts-ignore: decorator
@inline
export function masked(crc: u32): u32 {
  return rotr<u32>(crc, 15) + 0xa282_ead8;
}

/** CRC-32C of eight bytes: a record's length. */
// @ts-ignore: decorator
@inline
export function crc32cOf8(p: usize): u32 {
  return ~step8(p, 0xffff_ffff);
}

/** CRC-32C of earlier bytes, whose CRC is `before` (0 if there are none), and of the `length` bytes at `p`. */
export function crc32c(p: usize, length: usize, before: u32): u32 {
  return ~(length < LEAST_FOLDED ? slices(p, length, ~before) : folded(p, length, ~before));
}

function folded(start: usize, length: usize, before: u32): u32 {
  let p = start;
  let left = (length - REACH) & ~(STEP - 1);
  const rest = length - left;
  let base = FIRST;
  let size = min(left, PIECE);
  v128.store(base, v128.xor(v128.load(p), i32x4.replace_lane(i32x4.splat(0), 0, before)), REACH);
  v128.store(base, v128.load(p, 16), REACH + 16);
  fold(base + STEP, p + STEP, size - STEP);
  p += size;
  while (left > size) {
    left -= size;
    memory.copy(NEXT, base + size, REACH);
    base = NEXT;
    size = min(left, PIECE);
    fold(base, p, size);
    p += size;
  }
  const end = base + size;
  memory.fill(end + REACH, 0, REACH);
  return foldedRest(p, end, rest);
}

/**
 * The CRC of a sequence: the last `REACH` folded bytes, which end at `end + REACH`, and then the `rest` bytes at `p`. To compute
 * it, most of the `rest` bytes are folded too, with another multiple of the polynomial: x^104 + x^57 + x^53 + x^49 + x^19 + x^14
 * + x^4 + 1. It has two more terms than the multiple described at `REACH`, but a shorter reach. The preceding vectors are kept in
 * registers, because loading them from memory would have to wait for their stores.
 */
function foldedRest(p: usize, end: usize, rest: usize): u32 {
  const zeros = i32x4.splat(0);
  // The preceding vectors, the nearest first.
  let a = zeros;
  let b = zeros;
  let c = zeros;
  let d = zeros;
  let e = zeros;
  let f = zeros;
  let g = zeros;
  let i: usize = 0;
  for (; i < NEARER; i += 16) {
    const next = v128.xor(v128.xor(v128.load(p + i), before16(end + i)), near16(b, c, d, e, f, g));
    g = f;
    f = e;
    e = d;
    d = c;
    c = b;
    b = a;
    a = next;
  }
  for (; i < rest; i += 16) {
    v128.store(REST + i - NEARER, v128.xor(v128.xor(v128.load(p + i), before16(end + i)), near16(b, c, d, e, f, g)));
    g = f;
    f = e;
    e = d;
    d = c;
    c = b;
    b = a;
    a = zeros;
  }
  return slices(REST, rest - NEARER, 0);
}

/** Sum of the bytes 47, 51, 55, 85, 90, 100 and 104 positions earlier, which lie in the second to seventh preceding vectors. */
// @ts-ignore: decorator
@inline
function near16(b: v128, c: v128, d: v128, e: v128, f: v128, g: v128): v128 {
  return v128.xor(
    v128.xor(
      v128.xor(
        i8x16.shuffle(c, b, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16),
        i8x16.shuffle(d, c, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28),
      ),
      v128.xor(
        i8x16.shuffle(d, c, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24),
        i8x16.shuffle(f, e, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26),
      ),
    ),
    v128.xor(
      v128.xor(
        i8x16.shuffle(f, e, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21),
        i8x16.shuffle(g, f, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27),
      ),
      i8x16.shuffle(g, f, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23),
    ),
  );
}

/** Folds the `size` bytes at `start`, and stores the result at `base + REACH`. */
function fold(base: usize, start: usize, size: usize): void {
  let p = start;
  for (let at = base, end = base + size; at < end; at += STEP) {
    v128.store(at, v128.xor(v128.load(p), before16(at)), REACH);
    v128.store(at, v128.xor(v128.load(p, 16), before16(at + 16)), REACH + 16);
    p += STEP;
  }
}

/** Sum of the earlier bytes to add to the sixteen bytes at `at + REACH`. */
// @ts-ignore: decorator
@inline
function before16(at: usize): v128 {
  const near = v128.xor(v128.load(at, REACH - 123), v128.load(at, REACH - 145));
  const far = v128.xor(v128.load(at, REACH - 178), v128.load(at, REACH - 195));
  return v128.xor(v128.xor(near, far), v128.load(at, REACH - 266));
}

/** The CRC by "slicing", mostly sixteen bytes at a time (Kounavis and Berry, 2005). */
function slices(start: usize, length: usize, before: u32): u32 {
  let p = start;
  let rest = length;
  let crc = before;
  for (; rest >= 16; rest -= 16) {
    const a = load<u32>(p) ^ crc;
    const b = load<u32>(p, 4);
    const c = load<u32>(p, 8);
    const d = load<u32>(p, 12);
    // Terms that do not depend on the previous step come first.
    crc =
      load<u32>(byte0(b), SLICES + 11 * 1024) ^
      load<u32>(byte1(b), SLICES + 10 * 1024) ^
      load<u32>(byte2(b), SLICES + 9 * 1024) ^
      load<u32>(byte3(b), SLICES + 8 * 1024) ^
      load<u32>(byte0(c), SLICES + 7 * 1024) ^
      load<u32>(byte1(c), SLICES + 6 * 1024) ^
      load<u32>(byte2(c), SLICES + 5 * 1024) ^
      load<u32>(byte3(c), SLICES + 4 * 1024) ^
      load<u32>(byte0(d), SLICES + 3 * 1024) ^
      load<u32>(byte1(d), SLICES + 2 * 1024) ^
      load<u32>(byte2(d), SLICES + 1024) ^
      load<u32>(byte3(d), SLICES) ^
      (load<u32>(byte0(a), SLICES + 15 * 1024) ^ load<u32>(byte1(a), SLICES + 14 * 1024)) ^
      (load<u32>(byte2(a), SLICES + 13 * 1024) ^ load<u32>(byte3(a), SLICES + 12 * 1024));
    p += 16;
  }
  if (rest >= 8) {
    crc = step8(p, crc);
    p += 8;
    rest -= 8;
  }
  for (; rest > 0; rest--) crc = load<u32>(byte0(crc ^ load<u8>(p++)), SLICES) ^ (crc >> 8);
  return crc;
}

// @ts-ignore: decorator
@inline
function step8(p: usize, crc: u32): u32 {
  const a = load<u32>(p) ^ crc;
  const b = load<u32>(p, 4);
  return (
    load<u32>(byte0(a), SLICES + 7 * 1024) ^
    load<u32>(byte1(a), SLICES + 6 * 1024) ^
    load<u32>(byte2(a), SLICES + 5 * 1024) ^
    load<u32>(byte3(a), SLICES + 4 * 1024) ^
    load<u32>(byte0(b), SLICES + 3 * 1024) ^
    load<u32>(byte1(b), SLICES + 2 * 1024) ^
    load<u32>(byte2(b), SLICES + 1024) ^
    load<u32>(byte3(b), SLICES)
  );
}

// Bytes 0 to 3 of a word, times 4: the offset of an entry in a table.
// @ts-ignore: decorator
@inline
function byte0(word: u32): usize {
  return (word & 255) << 2;
}
// @ts-ignore: decorator
@inline
function byte1(word: u32): usize {
  return (word >> 6) & 0x3fc;
}
// @ts-ignore: decorator
@inline
function byte2(word: u32): usize {
  return (word >> 14) & 0x3fc;
}
// @ts-ignore: decorator
@inline
function byte3(word: u32): usize {
  return (word >> 22) & 0x3fc;
}
