import type { Column } from "./column.js";
import { Encoding } from "./encoding.js";
import type { MessagePlan } from "./message-plan.js";

/** Field numbers of the entries of every map. */
export const MAP_KEY = 1;
/** @see {@link MAP_KEY} */
export const MAP_VALUE = 2;

/** A map key as it is compared: the halves of an integer, or the bytes of a string. */
export type MapKey =
  | { readonly low: number; readonly high: number; readonly value: bigint }
  | { readonly bytes: Uint8Array };

/** The column of one key of a map. */
export interface KeyedValue {
  readonly key: MapKey;
  readonly column: Column;
  /** Reads the value of an entry with this key into the column; its parent is the message with the map. */
  readonly pass: MessagePlan;
}

/** A map of which some keys have columns of their own. */
export interface KeyedMap {
  readonly scan: MessagePlan;
  /** Where the scan puts a key that is no string: one item. */
  readonly scanned: Column;
  /** The column of all entries, if it is read too. */
  readonly entries: Column | null;
  readonly values: KeyedValues;
}

/** Finds the column for a key without making an object of it. */
export class KeyedValues {
  readonly #byHash = new Map<number, KeyedValue[]>();

  constructor(values: readonly KeyedValue[]) {
    for (const value of values) {
      const hash = hashOf(value.key);
      this.#byHash.set(hash, [...(this.#byHash.get(hash) ?? []), value]);
    }
  }

  /** The value whose key is the string that lies in `bytes`. */
  ofBytes(bytes: Uint8Array, start: number, end: number): KeyedValue | undefined {
    return this.#byHash.get(hashBytes(bytes, start, end))?.find(({ key }) => {
      if (!("bytes" in key) || key.bytes.length !== end - start) return false;
      return key.bytes.every((byte, index) => byte === bytes[start + index]);
    });
  }

  /** The value whose key is the integer or bool in `scanned`; 0 if that has none. */
  ofInteger({ words, numItems, encoding }: Column): KeyedValue | undefined {
    const low = numItems === 0 ? 0 : words[0]!;
    const high = numItems > 0 && isWide(encoding) ? words[1]! : 0;
    return this.#byHash
      .get(hashInteger(low, high))
      ?.find(({ key }) => "low" in key && key.low === low && key.high === high);
  }
}

/** True for integers of 64 bits. */
export function isWide(encoding: Encoding): boolean {
  return encoding === Encoding.varint64 || encoding === Encoding.zigzag64 || encoding === Encoding.fixed64;
}

function hashOf(key: MapKey): number {
  return "bytes" in key ? hashBytes(key.bytes, 0, key.bytes.length) : hashInteger(key.low, key.high);
}

function hashInteger(low: number, high: number): number {
  return low ^ Math.imul(high, 0x9e3779b1);
}

/** FNV-1a. */
function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5 | 0;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
  return hash;
}
