/** Maximum initial capacity, in records. */
const MAX_INITIAL_RECORDS = 1024;

/**
 * Collects the payload bounds of frames. Keeps the bounds in typed arrays, whose bytes lie outside the JavaScript heap. Plain
 * arrays of numbers would take 240 kB of the heap for a batch of 4096 short records. Reusing one object for all scans of a pass
 * leaves no garbage.
 */
export class FrameBounds {
  numRecords = 0;
  #starts: Uint32Array;
  #ends: Uint32Array;

  /** @param expectedRecords Number of records expected from the first scan. If there are more, the memory grows. */
  constructor(expectedRecords: number = MAX_INITIAL_RECORDS) {
    const capacity = Math.min(expectedRecords, MAX_INITIAL_RECORDS);
    this.#starts = new Uint32Array(capacity);
    this.#ends = new Uint32Array(capacity);
  }

  /** Start of each payload, inclusive. A view, valid until the next call of {@link clear}. */
  get starts(): Uint32Array {
    return this.#starts.subarray(0, this.numRecords);
  }

  /** End of each payload, exclusive. A view, valid until the next call of {@link clear}. */
  get ends(): Uint32Array {
    return this.#ends.subarray(0, this.numRecords);
  }

  /** Drops all bounds, but keeps the memory. */
  clear(): void {
    this.numRecords = 0;
  }

  push(start: number, end: number): void {
    const index = this.numRecords;
    this.#reserve(index + 1);
    this.#starts[index] = start;
    this.#ends[index] = end;
    this.numRecords = index + 1;
  }

  /** Appends `numRecords` pairs of a start and an end, from `words[first]` on. Adds `offset` to each start and end. */
  addPairs(words: Uint32Array, first: number, numRecords: number, offset: number): void {
    const from = this.numRecords;
    this.#reserve(from + numRecords);
    const starts = this.#starts;
    const ends = this.#ends;
    for (let index = 0; index < numRecords; index++) {
      starts[from + index] = words[first + 2 * index]! + offset;
      ends[from + index] = words[first + 2 * index + 1]! + offset;
    }
    this.numRecords = from + numRecords;
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
