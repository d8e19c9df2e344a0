// The host, src/kernels/arrays/wasm/array-instance.ts, calls the functions in this file. It checks every position, copies a
// window of input in, and copies a window of output out. SLACK bytes follow each window, and vector loads and stores may touch
// them. So a row may be written in whole vectors: the next row overwrites the surplus.

/** Number of bytes after every window. src/kernels/arrays/wasm/array-instance.ts has the same number. */
const SLACK: usize = 64;
/** Number of bytes that the last call wrote to the output window. */
let numWritten: usize = 0;

/** Makes sure that `size` bytes of memory are free. Returns the address of the first, or 0 when memory runs out. */
export function room(size: usize): usize {
  const start = (__heap_base + 63) & ~63;
  const needed = (start + size + SLACK + 0xffff) >> 16;
  const present = <usize>memory.size();
  if (needed > present && memory.grow(<i32>(needed - present)) < 0) return 0;
  return start;
}

export function written(): usize {
  return numWritten;
}

/**
 * Writes the coordinates `[row, position]` of a range of values as int32. The range begins at index `from` and ends before index
 * `to`. `splits` is the address of the row splits, which begin with row `base`. The first value is in row `row`. Returns the row
 * of the value after the range. `row` and the returned row are counted from `base`.
 */
export function coo32(splits: usize, base: u32, row: u32, from: u32, to: u32, out: usize): u32 {
  let at = from;
  let target = out;
  let r = row;
  while (at < to) {
    const pair = splits + ((<usize>r) << 2);
    const rowEnd = load<u32>(pair, 4);
    const end = min(rowEnd, to);
    const position = at - load<u32>(pair);
    const targetEnd = target + ((<usize>(end - at)) << 3);
    let index = i32x4(base + r, position, base + r, position + 1);
    for (; target < targetEnd; target += 64) {
      v128.store(target, index);
      v128.store(target, i32x4.add(index, i32x4(0, 2, 0, 2)), 16);
      v128.store(target, i32x4.add(index, i32x4(0, 4, 0, 4)), 32);
      v128.store(target, i32x4.add(index, i32x4(0, 6, 0, 6)), 48);
      index = i32x4.add(index, i32x4(0, 8, 0, 8));
    }
    target = targetEnd;
    at = end;
    if (end == rowEnd) r++;
  }
  return r;
}

/** Does the same with int64 coordinates. */
export function coo64(splits: usize, base: u32, row: u32, from: u32, to: u32, out: usize): u32 {
  let at = from;
  let target = out;
  let r = row;
  while (at < to) {
    const pair = splits + ((<usize>r) << 2);
    const rowEnd = load<u32>(pair, 4);
    const end = min(rowEnd, to);
    const targetEnd = target + ((<usize>(end - at)) << 4);
    let index = i64x2(base + r, at - load<u32>(pair));
    for (; target < targetEnd; target += 64) {
      v128.store(target, index);
      v128.store(target, i64x2.add(index, i64x2(0, 1)), 16);
      v128.store(target, i64x2.add(index, i64x2(0, 2)), 32);
      v128.store(target, i64x2.add(index, i64x2(0, 3)), 48);
      index = i64x2.add(index, i64x2(0, 4));
    }
    target = targetEnd;
    at = end;
    if (end == rowEnd) r++;
  }
  return r;
}

/**
 * Writes each row with exactly `width` values of 2^`shift` bytes. Longer rows are truncated. Shorter rows are filled with
 * `pattern`, which repeats the fill value in eight bytes. `values` is the address of the first row's values.
 */
export function pad(
  splits: usize,
  numRows: u32,
  values: usize,
  shift: u32,
  width: u32,
  pattern: u64,
  out: usize,
): void {
  const fill = i64x2.splat(pattern);
  const rowBytes = (<usize>width) << shift;
  const end = splits + ((<usize>numRows) << 2);
  let target = out;
  let source = values;
  let start = load<u32>(splits);
  for (let pair = splits; pair < end; pair += 4) {
    const next = load<u32>(pair, 4);
    const copiedEnd = target + ((<usize>min(next - start, width)) << shift);
    copyTo(target, copiedEnd, source);
    target += rowBytes;
    for (let at = copiedEnd; at < target; at += 64) {
      v128.store(at, fill);
      v128.store(at, fill, 16);
      v128.store(at, fill, 32);
      v128.store(at, fill, 48);
    }
    source += (<usize>(next - start)) << shift;
    start = next;
  }
}

/**
 * Copies the values `starts[i]` to `ends[i]` (exclusive) of each of `count` ranges, one range after the other. A value has `size`
 * bytes. Stops before a range that would exceed `capacity` bytes. Returns the number of ranges copied.
 */
export function gather(
  starts: usize,
  ends: usize,
  count: u32,
  source: usize,
  size: u32,
  out: usize,
  capacity: usize,
): u32 {
  const limit = out + capacity;
  const end = (<usize>count) << 2;
  let target = out;
  let i: usize = 0;
  for (; i < end; i += 4) {
    const start = load<u32>(starts + i);
    const numBytes = <usize>(load<u32>(ends + i) - start) * size;
    if (numBytes > limit - target) break;
    copyTo(target, target + numBytes, source + <usize>start * size);
    target += numBytes;
  }
  numWritten = target - out;
  return <u32>(i >> 2);
}

/**
 * Copies bytes in blocks until the target reaches `end`. Calling memory.copy would be slower for short rows, and most rows are
 * short.
 */
// @ts-ignore: decorator
@inline
function copyTo(target: usize, end: usize, source: usize): void {
  let from = source;
  for (let at = target; at < end; at += 64) {
    v128.store(at, v128.load(from));
    v128.store(at, v128.load(from, 16), 16);
    v128.store(at, v128.load(from, 32), 32);
    v128.store(at, v128.load(from, 48), 48);
    from += 64;
  }
}

/**
 * Writes a range of int64 values as varints. The range begins at index `from`, in row `row` and at the address `values`, and ends
 * before index `to`. After the last value of each row, writes the byte offset of the row's end to `byteSplits`. The first varint
 * has the byte offset `base`. Returns the row of the next value.
 */
export function varints(
  splits: usize,
  row: u32,
  from: u32,
  to: u32,
  values: usize,
  byteSplits: usize,
  base: u32,
  out: usize,
): u32 {
  let at = from;
  let source = values;
  let target = out;
  let r = row;
  while (at < to) {
    const rowEnd = load<u32>(splits + ((<usize>r) << 2), 4);
    const end = min(rowEnd, to);
    const sourceEnd = source + ((<usize>(end - at)) << 3);
    for (; source < sourceEnd; source += 8) target = putVarint(target, load<u64>(source));
    at = end;
    if (end == rowEnd) {
      r++;
      store<u32>(byteSplits + ((<usize>r) << 2), base + <u32>(target - out));
    }
  }
  numWritten = target - out;
  return r;
}

// @ts-ignore: decorator
@inline
function putVarint(target: usize, value: u64): usize {
  // Spread groups of seven bits over bytes, by halving: 56 bits, then 28, then 14.
  let spread = ((value & 0x00ff_ffff_f000_0000) << 4) | (value & 0x0fff_ffff);
  spread = ((spread & 0x0fff_c000_0fff_c000) << 2) | (spread & 0x0000_3fff_0000_3fff);
  spread = ((spread & 0x3f80_3f80_3f80_3f80) << 1) | (spread & 0x007f_007f_007f_007f);
  // One byte for each seven bits, rounded up.
  const size = (<u32>(64 - clz<u64>(value | 1)) * 9 + 64) >> 6;
  if (size <= 8) {
    const more: u64 = 0x8080_8080_8080_8080 & (((<u64>1) << (((<u64>size) - 1) << 3)) - 1);
    store<u64>(target, spread | more);
  } else {
    store<u64>(target, spread | 0x8080_8080_8080_8080);
    const top = <u32>(value >> 56);
    store<u16>(target, size == 9 ? top : ((top & 0x7f) | 0x80 | ((top >> 7) << 8)), 8);
  }
  return target + size;
}
