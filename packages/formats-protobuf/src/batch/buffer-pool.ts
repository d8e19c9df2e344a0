import { freeBuffer, reuseBuffer, unclearedBuffer } from "@tfxio/wire/kernels";
import { BUFFER_BYTES } from "./batch-memory.js";

/** Maximum total size of the idle buffers in bytes. */
const MAX_IDLE_BYTES: number = 128 * 2 ** 20;
/** A buffer serves only requests for at least this share of its size. Otherwise, small arrays would occupy large buffers. */
const LEAST_USE = 0.5;

/** Keeps the buffers of released batches for later leases. Their memory has been touched before, so it costs no page faults. */
export class BufferPool {
  readonly #idle: ArrayBuffer[] = [];

  /** Returns a buffer of at least `numBytes` bytes, with undefined contents. @throws {RangeError} if memory runs out. */
  take(numBytes: number): ArrayBuffer {
    const size = Math.ceil(numBytes / BUFFER_BYTES) * BUFFER_BYTES;
    const fitting = this.#idle.findIndex(
      ({ byteLength }) => byteLength >= size && size >= byteLength * LEAST_USE,
    );
    return fitting === -1 ? unclearedBuffer(size) : this.#idle.splice(fitting, 1)[0]!;
  }

  /**
   * Takes a buffer back and detaches its views, so that a view that outlives its lease has no elements. Forgets a buffer that is
   * already detached because its batch was transferred to another thread.
   */
  giveBack(buffer: ArrayBuffer): void {
    const reused = reuseBuffer(buffer);
    if (reused === undefined) return;
    this.#idle.push(reused);
    let numBytes = this.#idle.reduce((sum, { byteLength }) => sum + byteLength, 0);
    while (numBytes > MAX_IDLE_BYTES) {
      const oldest = this.#idle.shift()!;
      numBytes -= oldest.byteLength;
      freeBuffer(oldest);
    }
  }
}
