/** Pending input, contiguous in memory. */
export class InputBytes {
  #buffer = new Uint8Array(0);
  #start = 0;
  #end = 0;

  get length(): number {
    return this.#end - this.#start;
  }

  /** Valid until the next {@link append}. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#buffer.subarray(this.#start, this.#end);
  }

  /** @throws {RangeError} when memory runs out. */
  append(bytes: Uint8Array): void {
    const { length } = this;
    if (this.#end + bytes.length > this.#buffer.length) {
      const isLarge = this.#buffer.length >= length + bytes.length;
      const target = isLarge ? this.#buffer : new Uint8Array(Math.max(length + bytes.length, 2 * length));
      target.set(this.bytes);
      this.#buffer = target;
      this.#start = 0;
      this.#end = length;
    }
    this.#buffer.set(bytes, this.#end);
    this.#end += bytes.length;
  }

  take(numBytes: number): void {
    this.#start += numBytes;
  }
}
