/**
 * Collects the payload bounds of frames in typed arrays, whose bytes lie outside the JavaScript heap. Plain arrays of numbers
 * would take 240 kB of the heap for a batch of 4096 short records.
 */
export class FrameBounds {
  #starts = new Uint32Array(1024);
  #ends = new Uint32Array(1024);
  #numRecords = 0;

  get numRecords(): number {
    return this.#numRecords;
  }

  /** Appends `numRecords` pairs of a start and an end, from `words[first]` on, each plus `offset`. */
  add(words: Uint32Array, first: number, numRecords: number, offset: number): void {
    const from = this.#numRecords;
    this.#reserve(from + numRecords);
    const starts = this.#starts;
    const ends = this.#ends;
    for (let index = 0; index < numRecords; index++) {
      starts[from + index] = words[first + 2 * index]! + offset;
      ends[from + index] = words[first + 2 * index + 1]! + offset;
    }
    this.#numRecords = from + numRecords;
  }

  /** Returns copies of the bounds, of exact length. */
  finish(): { readonly starts: Uint32Array; readonly ends: Uint32Array } {
    return { starts: this.#starts.slice(0, this.#numRecords), ends: this.#ends.slice(0, this.#numRecords) };
  }

  #reserve(numRecords: number): void {
    if (numRecords <= this.#starts.length) return;
    const length = Math.max(numRecords, this.#starts.length * 2);
    this.#starts = grown(this.#starts, length);
    this.#ends = grown(this.#ends, length);
  }
}

function grown(from: Uint32Array, length: number): Uint32Array<ArrayBuffer> {
  const to = new Uint32Array(length);
  to.set(from);
  return to;
}
