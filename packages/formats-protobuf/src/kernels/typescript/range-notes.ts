/** Two ranges of two ends. */
const SLOTS = 4;
/** What is remembered of a message. */
export const NOTE_BYTES: number = SLOTS * 4;

/**
 * Remembers for each message of the current record where the last value of one or two of its length-delimited fields
 * lies, so that it can be looked at once the whole message is known: the type and value of an Any may come in either
 * order, and twice.
 */
export class RangeNotes {
  #ranges: Int32Array = new Int32Array(16 * SLOTS);
  #firstItem = 0;

  /** @param second Number of the second field; 0 for none. */
  constructor(
    readonly first: number,
    readonly second: number,
  ) {}

  /** The first message that is remembered. */
  get firstItem(): number {
    return this.#firstItem;
  }

  /** Forgets all; items are counted from `firstItem` on. */
  clear(firstItem: number): void {
    this.#firstItem = firstItem;
  }

  /** A new message, which has no ranges yet. */
  begin(item: number): void {
    const at = (item - this.#firstItem) * SLOTS;
    if (at + SLOTS > this.#ranges.length) {
      const grown = new Int32Array(this.#ranges.length * 2);
      grown.set(this.#ranges);
      this.#ranges = grown;
    }
    this.#ranges.fill(-1, at, at + SLOTS);
  }

  /** A value of field `number`, whichever it is. */
  note(item: number, number: number, start: number, end: number): void {
    if (number === 0 || (number !== this.first && number !== this.second)) return;
    const at = (item - this.#firstItem) * SLOTS + (number === this.first ? 0 : 2);
    this.#ranges[at] = start;
    this.#ranges[at + 1] = end;
  }

  /** Start of the last value of that field, -1 if there is none. */
  start(item: number, number: number): number {
    return this.#ranges[this.#at(item, number)]!;
  }

  /** End of the last value of that field. */
  end(item: number, number: number): number {
    return this.#ranges[this.#at(item, number) + 1]!;
  }

  #at(item: number, number: number): number {
    return (item - this.#firstItem) * SLOTS + (number === this.first ? 0 : 2);
  }
}
