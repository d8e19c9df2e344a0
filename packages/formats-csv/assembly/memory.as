// Memory is never freed. A growing block is copied, and its old memory stays unused. Most blocks at least double when they grow,
// so all old copies of a block together take less memory than the block itself.

/** Vector instructions may read and write this many bytes beyond the end of a block. */
export const SLACK: usize = 64;
const PAGE: usize = 65536;
/** Maximum size of the memory: one page less than 4 GiB. */
const MAX_BYTES: u64 = 0xffff0000;

let top: usize = __heap_base;

/** Allocates `size` zero bytes, followed by slack. Returns their address, 16-byte aligned; 0 when memory runs out. */
export function allocate(size: usize): usize {
  const start = (top + 15) & ~15;
  const end = <u64>start + <u64>size + SLACK;
  if (end > MAX_BYTES) return 0;
  const missing = <i64>end - ((<i64>memory.size()) << 16);
  if (missing > 0 && memory.grow(<i32>((missing + PAGE - 1) >> 16)) < 0) return 0;
  top = <usize>end;
  return start;
}

/**
 * Copies the text of a cell. Text of up to 256 bytes is copied in steps of 32, which also copy up to 32 bytes after it. Most
 * cells take one step.
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
