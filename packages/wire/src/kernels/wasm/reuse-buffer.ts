/** A global of Node and browsers, which other runtimes may lack. */
interface CloningGlobals {
  structuredClone?(value: ArrayBuffer, options: { readonly transfer: readonly ArrayBuffer[] }): ArrayBuffer;
}

/**
 * Detaches all views of a buffer, and returns a new buffer over the same memory with the same contents. No bytes are copied.
 *
 * Returns undefined if the memory cannot be reused: if the buffer is already detached, if it cannot be transferred (WebAssembly
 * memory, Node's pool of small Buffers), or if the runtime lacks `structuredClone`. Views of a buffer that cannot be transferred
 * stay valid.
 */
export function reuseBuffer(buffer: ArrayBuffer): ArrayBuffer | undefined {
  if (buffer.byteLength === 0) return undefined;
  try {
    const reused = (globalThis as CloningGlobals).structuredClone?.(buffer, { transfer: [buffer] });
    // Node copies a buffer that it cannot transfer, instead of throwing.
    return buffer.byteLength === 0 ? reused : undefined;
  } catch {
    // The buffer cannot be transferred. The garbage collector will free it.
    return undefined;
  }
}
