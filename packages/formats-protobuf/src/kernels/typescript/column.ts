import { Encoding, wordsPerValue } from "../encoding.js";
import { BatchTooLarge, type MemoryBudget } from "../memory-budget.js";
import { NOTE_BYTES, type RangeNotes } from "./range-notes.js";

/**
 * Number of items for which a new column has room. The first allocation for a column's byte strings has at least this many bytes.
 * Capacities grow at least twofold.
 */
const INITIAL_ITEMS = 64;
/** Below this many bytes, a loop copies faster than `set` with a view. */
const LOOPED_BYTES = 32;

/** The columns below the items of a message column. */
export interface BelowItems {
  readonly columns: readonly Column[];
  /** Notes of byte ranges in the messages. Null if no ranges are noted. */
  readonly notes: RangeNotes | null;
}

export interface ColumnParts {
  readonly encoding: Encoding;
  readonly isRepeated: boolean;
  /** For message columns: the columns below the items. */
  readonly message?: BelowItems | undefined;
  readonly budget: MemoryBudget;
}

/**
 * One field of one message type at one position in the tree of messages, for all records of a batch. The parents of a column are
 * the messages that can contain the field. Each parent has a list of items.
 *
 * Items are only appended, and always to the list of the last parent. If a singular message occurs twice, the values of both
 * occurrences are appended to the same item. The current value of a singular field is always the last one in the column, so a
 * later occurrence of the field can replace the value. {@link truncate} drops everything from a given parent on. An absent field
 * costs nothing until the batch is finished.
 */
export class Column {
  readonly encoding: Encoding;
  readonly isRepeated: boolean;
  readonly message: BelowItems | undefined;
  /** First item of each parent. Valid up to {@link lastParent}, inclusive. */
  starts: Int32Array = new Int32Array(INITIAL_ITEMS);
  /** The last parent with an entry in {@link starts}; -1 if there is none. */
  lastParent = -1;
  numItems = 0;
  /** The values, in 32-bit words. For byte strings, offsets in {@link data}: the start of each, then the end of the last. */
  words: Int32Array;
  /** Concatenated byte strings. */
  data: Uint8Array = new Uint8Array(0);
  /** Number of items that fit. For messages, the number of items whose memory is already counted against the budget. */
  #capacity: number = INITIAL_ITEMS;
  readonly #wordsPerValue: number;
  readonly #budget: MemoryBudget;

  constructor({ encoding, isRepeated, message, budget }: ColumnParts) {
    this.encoding = encoding;
    this.isRepeated = isRepeated;
    this.message = message;
    this.#budget = budget;
    this.#wordsPerValue = wordsPerValue(encoding);
    this.words = new Int32Array(message === undefined ? INITIAL_ITEMS * this.#wordsPerValue + 1 : 0);
  }

  /**
   * Returns the item for the next value of `parent`: a new item, or the existing item of a singular field.
   * @throws {BatchTooLarge} if the batch would exceed its limit or the available memory.
   */
  itemOf(parent: number): number {
    if (this.lastParent !== parent) this.#openList(parent);
    else if (!this.isRepeated) return this.numItems - 1;
    const item = this.numItems++;
    if (item >= this.#capacity) this.#growWords(this.numItems);
    return item;
  }

  /** Copies `bytes` from `start` to `end`, exclusive, into an item from {@link itemOf}. The item must be the last one. */
  setBytes(item: number, bytes: Uint8Array, start: number, end: number): void {
    let to = this.words[item]!;
    const length = end - start;
    if (to + length > this.data.length) this.#growData(to + length);
    this.words[item + 1] = to + length;
    const { data } = this;
    if (length < LOOPED_BYTES) for (let from = start; from < end; from++) data[to++] = bytes[from]!;
    else data.set(bytes.subarray(start, end), to);
  }

  /** Appends the default if `parent` lacks the field: zero, no bytes, or a message without fields. */
  setDefault(parent: number): void {
    if (this.lastParent === parent) return;
    const item = this.itemOf(parent);
    if (this.encoding === Encoding.bytes) this.words[item + 1] = this.words[item]!;
    else this.words.fill(0, item * this.#wordsPerValue, (item + 1) * this.#wordsPerValue);
    this.message?.notes?.begin(item);
  }

  /** Drops the items of all parents from `numParents` on, and everything below these items. Keeps the memory. */
  truncate(numParents: number): void {
    if (this.lastParent < numParents) return;
    this.numItems = this.starts[numParents]!;
    this.lastParent = numParents - 1;
    if (this.message === undefined) return;
    for (const column of this.message.columns) column.truncate(this.numItems);
  }

  /** Returns the number of bytes that the column takes in a batch: values, offsets and bitmap. */
  numBytes(numParents: number): number {
    const numLists = numParents * 4 + numParents / 8;
    const isBytes = this.encoding === Encoding.bytes;
    return numLists + this.numItems * this.#wordsPerValue * 4 + (isBytes ? this.words[this.numItems]! : 0);
  }

  /** Starts the list of `parent`. All parents between the last one and this one have empty lists. */
  #openList(parent: number): void {
    const { lastParent, numItems } = this;
    if (parent >= this.starts.length) this.starts = this.#grown(this.starts, parent + 1);
    const { starts } = this;
    for (let index = lastParent + 1; index <= parent; index++) starts[index] = numItems;
    this.lastParent = parent;
  }

  #growWords(numItems: number): void {
    if (this.message !== undefined) {
      this.#allowItems(this.message);
      return;
    }
    this.words = this.#grown(this.words, numItems * this.#wordsPerValue + 1);
    this.#capacity = Math.floor((this.words.length - 1) / this.#wordsPerValue);
  }

  /**
   * Doubles the capacity of a message column, and counts the memory against the budget. A message column has no {@link words},
   * but each message needs an offset in every column below, and a note if byte ranges are noted.
   */
  #allowItems({ columns, notes }: BelowItems): void {
    const numItems = this.#capacity * 2;
    const bytesPerItem = Math.max(1, columns.length) * 4 + (notes === null ? 0 : NOTE_BYTES);
    this.#budget.replace(this.#capacity * bytesPerItem, numItems * bytesPerItem);
    this.#capacity = numItems;
  }

  #growData(numBytes: number): void {
    const length = Math.max(numBytes, this.data.length * 2, INITIAL_ITEMS);
    this.#budget.replace(this.data.length, length);
    const grown = allocated(() => new Uint8Array(length));
    grown.set(this.data);
    this.data = grown;
  }

  /** Returns a copy with at least twice the length. @throws {BatchTooLarge} if the budget or the memory is exhausted. */
  #grown(array: Int32Array, needed: number): Int32Array {
    const length = Math.max(needed, array.length * 2);
    this.#budget.replace(array.byteLength, length * 4);
    const grown = allocated(() => new Int32Array(length));
    grown.set(array);
    return grown;
  }
}

/** Returns new memory. Converts an allocation failure to {@link BatchTooLarge}, so that it is handled like an exceeded limit. */
function allocated<Memory>(allocate: () => Memory): Memory {
  try {
    return allocate();
  } catch (cause) {
    if (cause instanceof RangeError) throw new BatchTooLarge("no memory is left for a column", { cause });
    throw cause;
  }
}
