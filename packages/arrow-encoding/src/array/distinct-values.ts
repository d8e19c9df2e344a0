import { BytesColumn } from "../column/column-access-bytes.js";
import type { FlatValues } from "../column/column-access-values.js";

/** Assigns the numbers 0, 1, 2, … to distinct values, in the order in which they are added. */
export interface DistinctValues {
  /** Returns the number assigned to the value at `index` in `values`. A new value is copied and gets the next number. */
  add(values: FlatValues, index: number): number;
  /** Returns the number assigned to the value at `index` in `values`; -1 if the value was never added. */
  find(values: FlatValues, index: number): number;
}

/**
 * Creates an empty numbering for values of the same type as `like`: byte strings or numbers. NaN equals NaN, and 0 equals -0.
 * float16 values are compared by their bits.
 */
export function distinctValues(like: FlatValues): DistinctValues {
  return like instanceof BytesColumn ? new DistinctBytes() : new DistinctNumbers();
}

/** A JavaScript Map has the required equality: NaN equals NaN, and 0 equals -0. */
class DistinctNumbers implements DistinctValues {
  readonly #numbers = new Map<number | bigint, number>();

  add(values: FlatValues, index: number): number {
    const value = (values as Float64Array | BigInt64Array)[index] as number | bigint;
    const number = this.#numbers.get(value) ?? this.#numbers.size;
    if (number === this.#numbers.size) this.#numbers.set(value, number);
    return number;
  }

  find(values: FlatValues, index: number): number {
    return this.#numbers.get((values as Float64Array | BigInt64Array)[index] as number | bigint) ?? -1;
  }
}

/** A hash table with open addressing and linear probing. Lookups allocate no strings or views. */
class DistinctBytes implements DistinctValues {
  readonly #entries: Uint8Array[] = [];
  readonly #hashes: number[] = [];
  /** Entry number plus 1, or 0 for a free slot. The length is a power of two, and at most half of the slots are used. */
  #slots = new Int32Array(64);

  add(values: FlatValues, index: number): number {
    const column = values as BytesColumn;
    const hash = hashOf(column, index);
    const slot = this.#slotOf(column, index, hash);
    const found = this.#slots[slot] as number;
    if (found > 0) return found - 1;
    this.#entries.push(column.get(index).slice());
    this.#hashes.push(hash);
    this.#slots[slot] = this.#entries.length;
    if (this.#entries.length * 2 > this.#slots.length) this.#grow();
    return this.#entries.length - 1;
  }

  find(values: FlatValues, index: number): number {
    const column = values as BytesColumn;
    return (this.#slots[this.#slotOf(column, index, hashOf(column, index))] as number) - 1;
  }

  /** Returns the slot that holds the value, or the free slot in which to insert it. */
  #slotOf({ data, offsets }: BytesColumn, index: number, hash: number): number {
    const start = offsets[index] as number;
    const end = offsets[index + 1] as number;
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (; ; slot = (slot + 1) & mask) {
      const entry = (this.#slots[slot] as number) - 1;
      if (entry < 0) return slot;
      if (this.#hashes[entry] === hash && isEqual(this.#entries[entry] as Uint8Array, data, start, end)) {
        return slot;
      }
    }
  }

  /** Doubles the number of slots and inserts all entries again. */
  #grow(): void {
    const slots = new Int32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (const [entry, hash] of this.#hashes.entries()) {
      let slot = hash & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = entry + 1;
    }
    this.#slots = slots;
  }
}

/**
 * Returns the 32-bit FNV-1a hash of a value. Mixes the high bits into the low bits, because the low bits alone distribute short
 * strings poorly.
 */
function hashOf({ data, offsets }: BytesColumn, index: number): number {
  let hash = 0x811c9dc5;
  for (let at = offsets[index] as number; at < (offsets[index + 1] as number); at++) {
    hash = Math.imul(hash ^ (data[at] as number), 0x01000193);
  }
  return (hash ^ (hash >>> 15)) >>> 0;
}

function isEqual(entry: Uint8Array, data: Uint8Array, start: number, end: number): boolean {
  if (entry.length !== end - start) return false;
  for (let at = 0; at < entry.length; at++) if (entry[at] !== data[start + at]) return false;
  return true;
}
