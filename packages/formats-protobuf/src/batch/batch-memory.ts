import { unclearedBuffer } from "@tfxio/wire/kernels";

/** Alignment of buffers in bytes, as the Arrow columnar format recommends. */
export const ALIGNMENT = 64;
/**
 * Size in bytes of the buffers that arrays share. malloc reuses freed buffers of this size, as in the kernels of `@tfxio/wire`
 * (ADR 9).
 */
const BUFFER_BYTES: number = 2 ** 20;

/**
 * Allocates the arrays of one batch, 64-byte aligned, in as few buffers as possible. An array larger than a buffer has its own
 * buffer.
 */
export class BatchMemory {
  #numLeft: number;
  #buffer = new ArrayBuffer(0);
  #used = 0;

  /**
   * @param numBytes expected number of bytes of all arrays, including alignment. It only sizes the buffers: the arrays may take
   *   more or less.
   */
  constructor(numBytes: number) {
    this.#numLeft = numBytes;
  }

  /** Returns an uninitialized array of `length` numbers. @throws {RangeError} if memory runs out. */
  int32(length: number): Int32Array {
    const { buffer, at } = this.#place(length * 4);
    return new Int32Array(buffer, at, length);
  }

  /** Returns a copy of `bytes`. @throws {RangeError} if memory runs out. */
  copy(bytes: Uint8Array | Int32Array): Uint8Array {
    const { buffer, at } = this.#place(bytes.byteLength);
    const copy = new Uint8Array(buffer, at, bytes.byteLength);
    copy.set(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    return copy;
  }

  /** Reserves aligned space. The last buffer is only as large as the rest of the expected bytes. */
  #place(numBytes: number): { readonly buffer: ArrayBuffer; readonly at: number } {
    const size = Math.ceil(numBytes / ALIGNMENT) * ALIGNMENT;
    this.#numLeft -= size;
    if (size > BUFFER_BYTES) return { buffer: unclearedBuffer(numBytes), at: 0 };
    if (this.#used + size > this.#buffer.byteLength) {
      const wanted = Math.min(this.#numLeft + size, BUFFER_BYTES);
      this.#buffer = unclearedBuffer(Math.max(size, wanted));
      this.#used = 0;
    }
    const at = this.#used;
    this.#used += size;
    return { buffer: this.#buffer, at };
  }
}
