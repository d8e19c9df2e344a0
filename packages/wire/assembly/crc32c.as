// CRC-32C (Castagnoli, RFC 3720). WebAssembly has no instruction for it.

/** The polynomial, bit-reversed. */
const POLYNOMIAL: u32 = 0x82f6_3b78;
/** Sixteen tables of 256: entry b of table t is the CRC of byte b followed by t zero bytes. */
const SLICES: usize = memory.data(16 * 1024, 64);
/** Eight vectors: byte o of the CRC of a low nibble, then of a high one. */
const NIBBLES: usize = memory.data(8 * 16, 16);
/** Tables that advance a CRC over 16 << k zero bytes, four of 256 for each k. */
const JUMPS: usize = memory.data(8 * 4096, 64);
/** A block's bytes of one step, one vector per byte position. */
const ROWS: usize = memory.data(256, 64);
/** The CRCs of the sixteen streams. */
const STREAMS: usize = memory.data(64, 64);

/** Fills the tables; once per instance. */
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
  for (let nibble: u32 = 0; nibble < 16; nibble++) {
    for (let o: u32 = 0; o < 4; o++) {
      const at = NIBBLES + (o << 4) + nibble;
      store<u8>(at, load<u32>(SLICES + (nibble << 2)) >> (o << 3));
      store<u8>(at, load<u32>(SLICES + (nibble << 6)) >> (o << 3), 64);
    }
  }
  for (let b: u32 = 0; b < 4; b++) memory.copy(JUMPS + (b << 10), SLICES + ((15 - b) << 10), 1024);
  for (let k: u32 = 1; k < 8; k++) {
    for (let entry: u32 = 0; entry < 4096; entry += 4) {
      const crc = load<u32>(JUMPS + ((k - 1) << 12) + entry);
      store<u32>(JUMPS + (k << 12) + entry, advance(k - 1, crc));
    }
  }
}

/** A checksum as TFRecord files store it. */
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

/** CRC-32C of `length` bytes behind others whose CRC is `before`; 0 without others. */
export function crc32c(p: usize, length: usize, before: u32): u32 {
  let crc = ~before;
  let rest = length;
  while (rest >= 4096) {
    crc = block(p, 4, crc);
    p += 4096;
    rest -= 4096;
  }
  for (let k: u32 = 3; rest >= 256; k--) {
    const size = <usize>256 << k;
    if (rest < size) continue;
    crc = block(p, k, crc);
    p += size;
    rest -= size;
  }
  return ~slices(p, rest, crc);
}

/** Eight to sixteen bytes a step ("slicing"), after Kounavis and Berry, 2005. */
function slices(start: usize, length: usize, before: u32): u32 {
  let p = start;
  let rest = length;
  let crc = before;
  for (; rest >= 16; rest -= 16) {
    const a = load<u32>(p) ^ crc;
    const b = load<u32>(p, 4);
    const c = load<u32>(p, 8);
    const d = load<u32>(p, 12);
    // What does not depend on the step before comes first.
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

// Byte 0 to 3 of a word, times 4: the offset of a table's entry.
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

/** The CRC after 16 << k more zero bytes. */
// @ts-ignore: decorator
@inline
function advance(k: u32, crc: u32): u32 {
  const table = <usize>k << 12;
  return (
    load<u32>(table + byte0(crc), JUMPS) ^
    load<u32>(table + byte1(crc), JUMPS + 1024) ^
    load<u32>(table + byte2(crc), JUMPS + 2048) ^
    load<u32>(table + byte3(crc), JUMPS + 3072)
  );
}

// @ts-ignore: decorator
@inline
function low(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}
// @ts-ignore: decorator
@inline
function high(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}

/** What a byte contributes to one byte of the CRC, for sixteen streams at once. */
// @ts-ignore: decorator
@inline
function contribution(lowNibbles: v128, highNibbles: v128, lowTable: v128, highTable: v128): v128 {
  return v128.xor(i8x16.swizzle(lowTable, lowNibbles), i8x16.swizzle(highTable, highNibbles));
}

/**
 * 256 << k bytes as sixteen streams, one after the other in memory, one in each lane; the CRCs of neighbours are
 * joined two by two at the end. The sixteen by sixteen transpose goes through memory on purpose: what does not fit
 * the registers would be spilled to a stack that V8 may align badly.
 */
function block(start: usize, k: u32, before: u32): u32 {
  const streamLength = <usize>16 << k;
  const nibbleMask = i8x16.splat(15);
  const low0 = v128.load(NIBBLES);
  const low1 = v128.load(NIBBLES, 16);
  const low2 = v128.load(NIBBLES, 32);
  const low3 = v128.load(NIBBLES, 48);
  const high0 = v128.load(NIBBLES, 64);
  const high1 = v128.load(NIBBLES, 80);
  const high2 = v128.load(NIBBLES, 96);
  const high3 = v128.load(NIBBLES, 112);
  // Byte 0 to 3 of every stream's CRC.
  let crc0 = i8x16.replace_lane(i8x16.splat(0), 0, <i8>before);
  let crc1 = i8x16.replace_lane(i8x16.splat(0), 0, <i8>(before >> 8));
  let crc2 = i8x16.replace_lane(i8x16.splat(0), 0, <i8>(before >> 16));
  let crc3 = i8x16.replace_lane(i8x16.splat(0), 0, <i8>(before >> 24));
  for (let offset: usize = 0; offset < streamLength; offset += 16) {
    transpose(start + offset, streamLength);
    for (let row: usize = 0; row < 256; row += 16) {
      const index = v128.xor(crc0, v128.load(ROWS + row));
      const lows = v128.and(index, nibbleMask);
      const highs = v128.and(i16x8.shr_u(index, 4), nibbleMask);
      crc0 = v128.xor(crc1, contribution(lows, highs, low0, high0));
      crc1 = v128.xor(crc2, contribution(lows, highs, low1, high1));
      crc2 = v128.xor(crc3, contribution(lows, highs, low2, high2));
      crc3 = contribution(lows, highs, low3, high3);
    }
  }
  const low01 = low(crc0, crc1);
  const low23 = low(crc2, crc3);
  const high01 = high(crc0, crc1);
  const high23 = high(crc2, crc3);
  v128.store(STREAMS, i16x8.shuffle(low01, low23, 0, 8, 1, 9, 2, 10, 3, 11));
  v128.store(STREAMS, i16x8.shuffle(low01, low23, 4, 12, 5, 13, 6, 14, 7, 15), 16);
  v128.store(STREAMS, i16x8.shuffle(high01, high23, 0, 8, 1, 9, 2, 10, 3, 11), 32);
  v128.store(STREAMS, i16x8.shuffle(high01, high23, 4, 12, 5, 13, 6, 14, 7, 15), 48);
  for (let count: usize = 8; count > 0; count >>= 1, k++) {
    for (let i: usize = 0; i < count; i++) {
      const pair = STREAMS + (i << 3);
      store<u32>(STREAMS + (i << 2), advance(k, load<u32>(pair)) ^ load<u32>(pair, 4));
    }
  }
  return load<u32>(STREAMS);
}

/** Sixteen bytes of each of sixteen streams, to one row per byte position. */
// @ts-ignore: decorator
@inline
function transpose(start: usize, streamLength: usize): void {
  transposeHalf(start, streamLength, ROWS);
  transposeHalf(start + (streamLength << 3), streamLength, ROWS + 8);
}

/** Eight streams: to the first half of each row, or to the second when `target` is eight more. */
// @ts-ignore: decorator
@inline
function transposeHalf(start: usize, streamLength: usize, target: usize): void {
  let p = start;
  const a0 = v128.load(p);
  const a1 = v128.load((p += streamLength));
  const a2 = v128.load((p += streamLength));
  const a3 = v128.load((p += streamLength));
  const a4 = v128.load((p += streamLength));
  const a5 = v128.load((p += streamLength));
  const a6 = v128.load((p += streamLength));
  const a7 = v128.load(p + streamLength);
  const b0 = low(a0, a4);
  const b1 = high(a0, a4);
  const b2 = low(a1, a5);
  const b3 = high(a1, a5);
  const b4 = low(a2, a6);
  const b5 = high(a2, a6);
  const b6 = low(a3, a7);
  const b7 = high(a3, a7);
  const c0 = low(b0, b4);
  const c1 = high(b0, b4);
  const c2 = low(b1, b5);
  const c3 = high(b1, b5);
  const c4 = low(b2, b6);
  const c5 = high(b2, b6);
  const c6 = low(b3, b7);
  const c7 = high(b3, b7);
  storeRows(target, 0, low(c0, c4));
  storeRows(target, 32, high(c0, c4));
  storeRows(target, 64, low(c1, c5));
  storeRows(target, 96, high(c1, c5));
  storeRows(target, 128, low(c2, c6));
  storeRows(target, 160, high(c2, c6));
  storeRows(target, 192, low(c3, c7));
  storeRows(target, 224, high(c3, c7));
}

/** Two rows' halves. */
// @ts-ignore: decorator
@inline
function storeRows(target: usize, row: usize, pair: v128): void {
  v128.store64_lane(target + row, pair, 0);
  v128.store64_lane(target + row + 16, pair, 1);
}
