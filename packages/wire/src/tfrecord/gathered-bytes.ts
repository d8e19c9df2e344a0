/** A growing array of bytes that arrive in several parts. */
export class GatheredBytes {
  #memory: Uint8Array;
  #length: number;

  /** Starts with a copy of `first`. */
  constructor(first: Uint8Array) {
    this.#memory = new Uint8Array(first);
    this.#length = first.length;
  }

  /** View of all bytes so far, valid until the next {@link add}. */
  get bytes(): Uint8Array {
    return this.#memory.subarray(0, this.#length);
  }

  /** Appends a copy of `part`. Growth doubles the memory, but not beyond `mostBytes` unless the parts themselves need more. */
  add(part: Uint8Array, mostBytes: number): void {
    const length = this.#length + part.length;
    if (length > this.#memory.length) {
      const grown = new Uint8Array(Math.max(length, Math.min(mostBytes, 2 * this.#memory.length)));
      grown.set(this.bytes);
      this.#memory = grown;
    }
    this.#memory.set(part, this.#length);
    this.#length = length;
  }
}
