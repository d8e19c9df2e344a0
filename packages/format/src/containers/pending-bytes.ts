/** The bytes of a source that have been read but not consumed yet, joined into one piece. They may come from several chunks. */
export class PendingBytes {
  #buffer = new Uint8Array(0);
  #bytes: Uint8Array = this.#buffer;
  /** Number of leading bytes that have been searched already. */
  numSearched = 0;

  /** The pending bytes. Valid until the next call of a method. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** Adds a chunk. If no bytes are pending, borrows the chunk until the next call. Otherwise copies it. */
  append(chunk: Uint8Array): void {
    const { length } = this.#bytes;
    if (length === 0) {
      this.#bytes = chunk;
      return;
    }
    if (this.#buffer.length < length + chunk.length) this.#grow(length + chunk.length);
    this.#buffer.set(chunk, length);
    this.#bytes = this.#buffer.subarray(0, length + chunk.length);
  }

  /**
   * Adds the rest of a chunk whose first `numAdded` bytes were added before. Borrows the chunk if it contains all pending bytes.
   */
  continueIn(chunk: Uint8Array, numAdded: number): void {
    const { length } = this.#bytes;
    if (length > numAdded) this.append(chunk.subarray(numAdded));
    else this.#bytes = chunk.subarray(numAdded - length);
  }

  /** Removes the first `numBytes` bytes. Copies the remaining bytes, so that the caller may reuse the chunk. */
  take(numBytes: number): void {
    const rest = this.#bytes.subarray(numBytes);
    const isOwn = this.#bytes.buffer === this.#buffer.buffer;
    if (!isOwn && this.#buffer.length < rest.length) this.#buffer = new Uint8Array(rest.length * 2);
    // Source and target may overlap. `set` then behaves as if it copied through a temporary buffer.
    if (!isOwn || numBytes > 0) this.#buffer.set(rest);
    this.#bytes = this.#buffer.subarray(0, rest.length);
    this.numSearched = rest.length;
  }

  #grow(least: number): void {
    const grown = new Uint8Array(Math.max(least, this.#buffer.length * 2));
    grown.set(this.#bytes);
    this.#buffer = grown;
  }
}
