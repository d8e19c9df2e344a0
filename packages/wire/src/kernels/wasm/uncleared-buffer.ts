/** What is used of the global that Node has, and others have after it. */
interface BufferNamespace {
  /** Memory of its own, outside of the pool: nobody else's, and transferable. */
  allocUnsafeSlow?(size: number): Uint8Array<ArrayBuffer>;
}

/**
 * A buffer of `size` bytes that are anything where the runtime can leave out the zeros: whoever asks for it writes
 * every one of them.
 * @throws whatever the runtime throws that has no memory for it.
 */
export function unclearedBuffer(size: number): ArrayBuffer {
  const { Buffer } = globalThis as { Buffer?: BufferNamespace };
  return Buffer?.allocUnsafeSlow?.(size).buffer ?? new ArrayBuffer(size);
}
