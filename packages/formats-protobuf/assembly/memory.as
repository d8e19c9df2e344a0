// Blocks are allocated in sequence and never freed one by one. A growing column abandons its old block. If blocks have been
// abandoned, all columns are allocated again after a finished batch.

/** SIMD instructions may read and write this many bytes after the end of a block. */
export const SLACK: usize = 64;
const PAGE: usize = 65536;
/** The memory has at most 4 GiB. Blocks may use all of it except the last page. */
const MAX_BYTES: u64 = 0xffff0000;

let top: usize = __heap_base;

/** The address of `size` bytes, 16-byte aligned; 0 when memory runs out. The bytes are not cleared. */
export function allocate(size: u64): usize {
  const start = (top + 15) & ~15;
  const end = <u64>start + size + SLACK;
  if (end > MAX_BYTES) return 0;
  const present = <u32>memory.size();
  const needed = <u32>((end + PAGE - 1) >> 16);
  if (needed > present) {
    const missing = needed - present;
    // Grow by at least a quarter if possible, since every growth detaches the host's views.
    const generous = min(max(missing, present >> 2), 0x10000 - present);
    if (memory.grow(generous) < 0 && memory.grow(missing) < 0) return 0;
  }
  top = <usize>end;
  return start;
}

/** True if a block was abandoned since the last {@link releaseTo}. */
export let hasGaps: bool = false;

/** Sets {@link hasGaps}. Must be called when a larger block replaces a smaller one. */
export function abandon(): void {
  hasGaps = true;
}

/** The address of the next block, for {@link releaseTo}. */
export function memoryTop(): usize {
  return top;
}

/** Frees the blocks allocated since {@link memoryTop} returned `mark`. */
export function releaseTo(mark: usize): void {
  top = mark;
  hasGaps = false;
}

/**
 * Copies a string. If it has at most 256 bytes, it is copied in steps of 32, with up to 31 extra bytes. Most strings take one
 * step.
 */
// @ts-ignore: decorator
@inline
export function copyText(target: usize, source: usize, length: usize): void {
  if (length > 256) {
    memory.copy(target, source, length);
    return;
  }
  let at: usize = 0;
  do {
    const head = v128.load(source + at);
    const tail = v128.load(source + at, 16);
    v128.store(target + at, head);
    v128.store(target + at, tail, 16);
    at += 32;
  } while (at < length);
}
