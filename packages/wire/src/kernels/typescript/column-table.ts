import type { ColumnRows } from "./column-rows.js";

/**
 * Maximum number of slots that a lookup examines. If none of them is free when a column is added, the column is kept in a Map.
 * The Map's hash function is seeded, so crafted names cannot make lookups slow.
 */
const MAX_PROBES = 24;

/**
 * A hash table of columns with open addressing, keyed by the bytes of their names. The hash covers the length of a name, and
 * 32-bit words from both ends and the middle, since hashing whole names costs more than parsing short values. With 40 features in
 * random order, decoding each name for a Map reduced the speed to a quarter, and hashing every byte reduced it to two thirds.
 * Lookups compare all bytes of a name.
 */
export class ColumnTable<C extends ColumnRows> {
  readonly columns: C[] = [];
  /** For each slot, the column's index in `columns` plus 1, or 0 if the slot is free. */
  private slots: Int32Array = new Int32Array(64);
  /** Slot of each column, or -1 if the column is kept in {@link crowded}. */
  private readonly slotOf: number[] = [];
  /** Index in `columns` of each column that found no free slot within {@link MAX_PROBES}, by name. */
  private readonly crowded = new Map<string, number>();
  private readonly decoder = new TextDecoder("utf-8", { ignoreBOM: true });

  add(column: C): void {
    this.columns.push(column);
    if (this.columns.length * 4 > this.slots.length) this.rebuild(this.slots.length * 4);
    else this.place(this.columns.length - 1);
  }

  /** Removes the newest columns until `count` are left. */
  truncate(count: number): void {
    // The newest column's slot was free when older columns were placed, so no lookup of an older column passes through it.
    while (this.columns.length > count) {
      const { name } = this.columns.pop()!;
      const slot = this.slotOf.pop()!;
      if (slot < 0) this.crowded.delete(name);
      else this.slots[slot] = 0;
    }
  }

  retain(isKept: (column: C) => boolean): void {
    if (this.columns.every(isKept)) return;
    const kept = this.columns.filter(isKept);
    this.columns.length = 0;
    for (const column of kept) this.columns.push(column);
    let capacity = 64;
    while (kept.length * 4 > capacity) capacity *= 4;
    this.rebuild(capacity);
  }

  /** Returns the index of the column whose name is the `length` bytes at `start`, or -1. */
  find(bytes: Uint8Array, view: DataView, start: number, length: number): number {
    const mask = this.slots.length - 1;
    let slot = hashKey(bytes, view, start, length) & mask;
    for (let probe = 0; probe < MAX_PROBES; probe++) {
      const position = this.slots[slot]! - 1;
      if (position < 0) return -1;
      if (isKey(this.columns[position]!, bytes, view, start, length)) return position;
      slot = (slot + 1) & mask;
    }
    if (this.crowded.size === 0) return -1;
    return this.crowded.get(this.decoder.decode(bytes.subarray(start, start + length))) ?? -1;
  }

  private rebuild(capacity: number): void {
    this.slots = new Int32Array(capacity);
    this.crowded.clear();
    this.slotOf.length = 0;
    for (let position = 0; position < this.columns.length; position++) this.place(position);
  }

  private place(position: number): void {
    const { name, key } = this.columns[position]!;
    const view = new DataView(key.buffer, key.byteOffset, key.byteLength);
    const mask = this.slots.length - 1;
    let slot = hashKey(key, view, 0, key.length) & mask;
    for (let probe = 0; probe < MAX_PROBES; probe++) {
      if (this.slots[slot] === 0) {
        this.slots[slot] = position + 1;
        this.slotOf.push(slot);
        return;
      }
      slot = (slot + 1) & mask;
    }
    this.slotOf.push(-1);
    this.crowded.set(name, position);
  }
}

/**
 * Returns true if the `length` bytes at `start` are the column's name. The last four bytes are compared first, because that is
 * where numbered names differ.
 */
export function isKey(
  column: ColumnRows,
  bytes: Uint8Array,
  view: DataView,
  start: number,
  length: number,
): boolean {
  if (column.keyLength !== length) return false;
  if (length < 4) {
    for (let i = 0; i < length; i++) if (bytes[start + i] !== column.key[i]) return false;
    return true;
  }
  if (view.getInt32(start + length - 4, true) !== column.keyTail) return false;
  const words = column.keyWords;
  for (let i = 0; i < words.length; i++) if (view.getInt32(start + i * 4, true) !== words[i]) return false;
  return true;
}

function hashKey(bytes: Uint8Array, view: DataView, start: number, length: number): number {
  let hash = length << 1;
  if (length < 4) {
    for (let i = 0; i < length; i++) hash = Math.imul(hash ^ bytes[start + i]!, 0x01000193);
  } else {
    const end = start + length;
    hash ^= view.getInt32(start, true) ^ Math.imul(view.getInt32(end - 4, true), 0x9e3779b1);
    if (length >= 8) {
      hash = Math.imul(hash, 0x85ebca6b) ^ view.getInt32(start + 4, true);
      hash = Math.imul(hash, 0xc2b2ae35) ^ view.getInt32(end - 8, true);
      if (length > 16) hash = Math.imul(hash, 0x27d4eb2f) ^ view.getInt32(start + (length >> 1) - 2, true);
    }
  }
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}
