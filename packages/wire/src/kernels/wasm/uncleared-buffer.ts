/** The part of Node's globals used here, which other runtimes may also provide. */
interface NodeGlobals {
  readonly Buffer?: {
    /** Returns memory outside Node's pool of small Buffers, so that no other Buffer shares it and it can be transferred. */
    allocUnsafeSlow?(size: number): Uint8Array<ArrayBuffer>;
  };
  readonly process?: { readonly platform?: string };
}

/**
 * Size in bytes of the block that {@link teachMallocToKeep} allocates. glibc's threshold for returning freed blocks to the system
 * is at most 32 MiB. The size is two pages less, so that there is room for the block's header.
 */
const LARGEST_LESSON: number = 32 * 2 ** 20 - 8192;
/**
 * Size in bytes of the smallest buffer that makes {@link teachMallocToKeep} run. glibc keeps smaller blocks anyway: its threshold
 * starts at 128 KiB.
 */
const SMALLEST_TO_KEEP: number = 64 * 1024;

let isTaught = false;

/**
 * Allocates a buffer of `size` bytes. Its contents are undefined if the runtime can skip zeroing, so the caller must write every
 * byte. Throws the runtime's error if there is no memory.
 */
export function unclearedBuffer(size: number): ArrayBuffer {
  const { Buffer, process } = globalThis as NodeGlobals;
  if (Buffer?.allocUnsafeSlow === undefined) return new ArrayBuffer(size);
  if (!isTaught && size >= SMALLEST_TO_KEEP) {
    isTaught = true;
    if (process?.platform === "linux") teachMallocToKeep((lesson) => Buffer.allocUnsafeSlow?.(lesson));
  }
  return Buffer.allocUnsafeSlow(size).buffer;
}

/**
 * Makes glibc keep freed memory. By default, glibc returns freed blocks above a threshold to the system, and the next block of
 * that size costs a page fault for each page. The threshold is the size of the largest block freed so far, up to 32 MiB
 * (mallopt(3), `M_MMAP_THRESHOLD`). This function allocates one block of almost 32 MiB, never touches it, and leaves it to the
 * garbage collector. Afterwards, malloc keeps freed memory up to twice the threshold. Other allocators just free the block.
 */
function teachMallocToKeep(allocate: (size: number) => unknown): void {
  try {
    allocate(LARGEST_LESSON);
  } catch {
    // Without memory for the block, only an optimization is lost.
  }
}
