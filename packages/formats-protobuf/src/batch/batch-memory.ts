import { unclearedBuffer } from "@tfxio/wire/kernels";

/** Alignment of buffers in bytes, as Arrow recommends. */
export const ALIGNMENT = 64;
/** Size in bytes of the buffers that arrays share. malloc reuses freed ones, as in the kernels of `@tfxio/wire` (ADR 9). */
const BUFFER_BYTES: number = 2 ** 20;

/** The arrays of one batch, 64-byte aligned, in as few buffers as possible. A larger array has its own buffer. */
export class BatchMemory {
  #numLeft: number;
  #buffer = new ArrayBuffer(0);
  #used = 0;

  /** @param numBytes Expected bytes of all arrays, including alignment. More may be allocated; fewer wastes memory. */
  constructor(numBytes: number) {
    this.#numLeft = numBytes;
  }

  /** An uninitialized array of `length` numbers. @throws {RangeError} when memory runs out. */
  int32(length: number): Int32Array {
    const { buffer, at } = this.#place(length * 4);
    return new Int32Array(buffer, at, length);
  }

  /** A copy of `bytes`. @throws {RangeError} when memory runs out. */
  copy(bytes: Uint8Array | Int32Array): Uint8Array {
    const { buffer, at } = this.#place(bytes.byteLength);
    const copy = new Uint8Array(buffer, at, bytes.byteLength);
    copy.set(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    return copy;
  }

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
