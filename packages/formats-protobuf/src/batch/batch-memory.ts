import { unclearedBuffer } from "@tfxio/wire/kernels";

/** Alignment of arrays in bytes, as the Arrow columnar format recommends. */
export const ALIGNMENT = 64;
/**
 * Size in bytes of the buffers that arrays share. malloc reuses freed buffers of this size, as in the kernels of `@tfxio/wire`
 * (ADR 9).
 */
export const BUFFER_BYTES: number = 2 ** 20;

/** Allocates an uninitialized buffer of at least `numBytes` bytes. @throws {RangeError} if memory runs out. */
export type AllocateBuffer = (numBytes: number) => ArrayBuffer;

/**
 * Allocates the arrays of one batch in a few shared buffers, at offsets that are multiples of 64. An array larger than
 * {@link BUFFER_BYTES} has its own buffer.
 */
export class BatchMemory {
  readonly #allocate: AllocateBuffer;
  #numLeft: number;
  #buffer = new ArrayBuffer(0);
  #used = 0;
  /** Offset of the most recently reserved space in its buffer. */
  #at = 0;

  /**
   * @param numBytes expected number of bytes of all arrays, including alignment. It determines only the sizes of the buffers. The
   *   arrays may take more or less.
   * @param allocate source of the buffers. Default: new memory. Leased batches take theirs from a pool.
   */
  constructor(numBytes: number, allocate: AllocateBuffer = unclearedBuffer) {
    this.#numLeft = numBytes;
    this.#allocate = allocate;
  }

  /** Returns an uninitialized array of `length` bytes. @throws {RangeError} if memory runs out. */
  uint8(length: number): Uint8Array {
    const buffer = this.#bufferFor(length);
    return new Uint8Array(buffer, this.#at, length);
  }

  /** Returns an uninitialized array of `length` numbers. @throws {RangeError} if memory runs out. */
  int32(length: number): Int32Array {
    const buffer = this.#bufferFor(length * 4);
    return new Int32Array(buffer, this.#at, length);
  }

  /** Returns a copy of `values` as 64-bit integers. @throws {RangeError} if memory runs out. */
  int64(values: Int32Array): BigInt64Array {
    const buffer = this.#bufferFor(values.length * 8);
    const wide = new BigInt64Array(buffer, this.#at, values.length);
    for (let index = 0; index < values.length; index++) wide[index] = BigInt(values[index]!);
    return wide;
  }

  /** Returns a copy of `bytes`. @throws {RangeError} if memory runs out. */
  copy(bytes: Uint8Array): Uint8Array {
    const copy = this.uint8(bytes.length);
    copy.set(bytes);
    return copy;
  }

  /**
   * Reserves aligned space. Returns the buffer, and sets {@link #at} to the offset of the space in it. The last buffer is only as
   * large as the rest of the expected bytes.
   */
  #bufferFor(numBytes: number): ArrayBuffer {
    const size = Math.ceil(numBytes / ALIGNMENT) * ALIGNMENT;
    this.#numLeft -= size;
    if (size > BUFFER_BYTES) {
      this.#at = 0;
      return this.#allocate(numBytes);
    }
    if (this.#used + size > this.#buffer.byteLength) {
      const wanted = Math.min(this.#numLeft + size, BUFFER_BYTES);
      this.#buffer = this.#allocate(Math.max(size, wanted));
      this.#used = 0;
    }
    this.#at = this.#used;
    this.#used += size;
    return this.#buffer;
  }
}
