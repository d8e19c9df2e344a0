/** What is used of the globals that Node has, and others have after it. */
interface NodeGlobals {
  readonly Buffer?: {
    /** Memory of its own, outside of the pool: nobody else's, and transferable. */
    allocUnsafeSlow?(size: number): Uint8Array<ArrayBuffer>;
  };
  readonly process?: { readonly platform?: string };
}

/** The largest block that glibc still learns from when it is freed (32 MiB), less room for its header and a page. */
const LARGEST_LESSON: number = 32 * 2 ** 20 - 8192;
/** Smaller blocks are kept anyway: the threshold starts at 128 KiB. */
const SMALLEST_TO_KEEP: number = 64 * 1024;

let isTaught = false;

/**
 * A buffer of `size` bytes that are anything where the runtime can leave out the zeros: whoever asks for it writes
 * every one of them.
 * @throws whatever the runtime throws that has no memory for it.
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
 * glibc returns a freed block above a threshold to the system, and the next block of its size is paid for with a fault for
 * each page. The threshold is that of the largest block freed so far, up to 32 MiB (mallopt(3), `M_MMAP_THRESHOLD`). So
 * one block of that size is allocated, never touched, and left to the garbage collector: after that malloc keeps what
 * batches free, up to twice the threshold. Other allocators just free it.
 */
function teachMallocToKeep(allocate: (size: number) => unknown): void {
  try {
    allocate(LARGEST_LESSON);
  } catch {
    // Nothing depends on it.
  }
}
