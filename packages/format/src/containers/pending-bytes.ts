/** Bytes of a source that were not taken yet: what is left of a chunk, and the chunks behind it, in one piece. */
export class PendingBytes {
  #buffer = new Uint8Array(0);
  #bytes: Uint8Array = this.#buffer;
  /** Leading bytes that were looked at before. */
  numSearched = 0;

  /** Valid until the next {@link append}. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** Adds a chunk, which is borrowed until the next call when nothing was left. */
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

  /** Drops the first `numBytes` bytes. What is left is copied, so that the chunk can go. */
  take(numBytes: number): void {
    const rest = this.#bytes.subarray(numBytes);
    const isOwn = this.#bytes.buffer === this.#buffer.buffer;
    if (!isOwn && this.#buffer.length < rest.length) this.#buffer = new Uint8Array(rest.length * 2);
    // Also where both are parts of one buffer: `set` copies as if through a third one.
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
