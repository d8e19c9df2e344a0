import type { Window } from "apache-beam/values";

/** Records of one window that will be decoded together. */
export interface WindowBuffer {
  readonly window: Window;
  readonly records: Uint8Array[];
  /** Total size of the records. */
  numBytes: number;
}

/** Bounds on the buffers of a bundle. */
export interface BufferBounds {
  /** Maximum number of records per window. */
  readonly maxRecords: number;
  /** Maximum number of bytes per window. All windows together may hold {@link WINDOWS_IN_MEMORY} times as much. */
  readonly maxBytes: number;
}

/** Maximum size of all buffers of a bundle together, as a number of full buffers. */
const WINDOWS_IN_MEMORY = 16;

/**
 * Buffers the records of a bundle by window. A window's buffer is ready when it reaches a bound. When all windows together hold
 * too much, each further record makes the buffer of its window ready at once. Memory is therefore bounded.
 */
export class WindowBuffers {
  readonly #bounds: BufferBounds;
  readonly #buffers = new Map<string, WindowBuffer>();
  #numBytes = 0;

  constructor(bounds: BufferBounds) {
    this.#bounds = bounds;
  }

  /** Copies a record into the buffer of its window. If that buffer is then ready, removes and returns it. */
  add(window: Window, record: Uint8Array): WindowBuffer | undefined {
    const key = JSON.stringify(window);
    let buffer = this.#buffers.get(key);
    if (buffer === undefined) {
      buffer = { window, records: [], numBytes: 0 };
      this.#buffers.set(key, buffer);
    }
    // A view would keep in memory the whole message that contains the record.
    buffer.records.push(Uint8Array.from(record));
    buffer.numBytes += record.length;
    this.#numBytes += record.length;
    const { maxRecords, maxBytes } = this.#bounds;
    const isFull = buffer.records.length >= maxRecords || buffer.numBytes >= maxBytes;
    if (!isFull && this.#numBytes < maxBytes * WINDOWS_IN_MEMORY) return undefined;
    this.#buffers.delete(key);
    this.#numBytes -= buffer.numBytes;
    return buffer;
  }

  /** Removes and yields the remaining buffers, in the order of their first records. */
  *drain(): Generator<WindowBuffer, void, undefined> {
    for (const [key, buffer] of this.#buffers) {
      this.#buffers.delete(key);
      this.#numBytes -= buffer.numBytes;
      yield buffer;
    }
  }
}
