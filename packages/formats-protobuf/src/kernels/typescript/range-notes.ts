/** Number of integers noted for each message: two ranges with two bounds each. */
const SLOTS = 4;
/** Bytes of the notes of one message. */
export const NOTE_BYTES: number = SLOTS * 4;

/**
 * Records the byte range of the last value of one or two length-delimited fields, for each message of the current record. The
 * ranges are read only after the message ends, because the fields may come in either order, and more than once. Examples of such
 * fields are the type and the value of an Any.
 */
export class RangeNotes {
  #ranges: Int32Array = new Int32Array(16 * SLOTS);
  #firstItem = 0;

  /**
   * @param first number of the first field.
   * @param second number of the second field; 0 if there is none.
   */
  constructor(
    readonly first: number,
    readonly second: number,
  ) {}

  /** Index of the first message with notes. */
  get firstItem(): number {
    return this.#firstItem;
  }

  /** Drops all notes. The next messages are numbered from `firstItem`. */
  clear(firstItem: number): void {
    this.#firstItem = firstItem;
  }

  /** Adds the message `item`, without ranges. The notes grow if needed. */
  begin(item: number): void {
    const at = (item - this.#firstItem) * SLOTS;
    if (at + SLOTS > this.#ranges.length) {
      const grown = new Int32Array(this.#ranges.length * 2);
      grown.set(this.#ranges);
      this.#ranges = grown;
    }
    this.#ranges.fill(-1, at, at + SLOTS);
  }

  /**
   * Records the range from `start` to `end`, exclusive, of a value of field `number`. Ignores fields other than the first and the
   * second.
   */
  note(item: number, number: number, start: number, end: number): void {
    if (number === 0 || (number !== this.first && number !== this.second)) return;
    const at = (item - this.#firstItem) * SLOTS + (number === this.first ? 0 : 2);
    this.#ranges[at] = start;
    this.#ranges[at + 1] = end;
  }

  /** Returns the start of the last value of field `number`, or -1 if there is none. */
  start(item: number, number: number): number {
    return this.#ranges[this.#at(item, number)]!;
  }

  /** Returns the end of the last value of field `number`, or -1 if there is none. */
  end(item: number, number: number): number {
    return this.#ranges[this.#at(item, number) + 1]!;
  }

  #at(item: number, number: number): number {
    return (item - this.#firstItem) * SLOTS + (number === this.first ? 0 : 2);
  }
}
