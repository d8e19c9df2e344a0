import { unclearedBuffer } from "@tfxio/wire/kernels";

/** Arrow asks for it. */
export const ALIGNMENT = 64;
/** Arrays share buffers of this size; malloc finds freed ones again. As in the kernels of `@tfxio/wire` (ADR 9). */
const BUFFER_BYTES: number = 2 ** 20;

/** Arrays of one batch, 64-byte aligned in as few buffers as hold them; a larger array has a buffer of its own. */
export class BatchMemory {
  #numLeft: number;
  #buffer = new ArrayBuffer(0);
  #used = 0;

  /** @param numBytes What all arrays take together, with their alignment. More is possible, and less is wasted. */
  constructor(numBytes: number) {
    this.#numLeft = numBytes;
  }

  /** An array of `length` numbers, whatever they are. @throws {RangeError} when memory is refused. */
  int32(length: number): Int32Array {
    const { buffer, at } = this.#place(length * 4);
    return new Int32Array(buffer, at, length);
  }

  /** A copy of `bytes`. @throws {RangeError} when memory is refused. */
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
