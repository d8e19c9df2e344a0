// Memory is never freed. A block that grows is copied, and its old place stays unused, which at most doubles the total.

/** Bytes after the end of a block that vectors may read and write. */
export const SLACK: usize = 64;
const PAGE: usize = 65536;
/** Memory ends at 4 GiB. */
const MAX_BYTES: u64 = 0xffff0000;

let top: usize = __heap_base;

/** The address of `size` bytes and slack that are zero, 16-byte aligned; 0 when memory is refused. */
export function allocate(size: usize): usize {
  const start = (top + 15) & ~15;
  const end = <u64>start + <u64>size + SLACK;
  if (end > MAX_BYTES) return 0;
  const missing = <i64>end - ((<i64>memory.size()) << 16);
  if (missing > 0 && memory.grow(<i32>((missing + PAGE - 1) >> 16)) < 0) return 0;
  top = <usize>end;
  return start;
}

/** Copies short texts, up to 32 bytes too many: most take one step, whatever their length. */
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
