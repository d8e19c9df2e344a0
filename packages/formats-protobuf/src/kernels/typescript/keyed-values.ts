import type { Column } from "./column.js";
import { Encoding } from "../encoding.js";

/** Field numbers of the entries of every map. */
export const MAP_KEY = 1;
/** @see {@link MAP_KEY} */
export const MAP_VALUE = 2;

/** A map key in comparable form: the halves of an integer, or the bytes of a string. */
export type MapKey =
  | { readonly low: number; readonly high: number; readonly value: bigint }
  | { readonly bytes: Uint8Array };

/** Looks up values by key without allocating an object for the key. */
export class KeyedValues<Value extends { readonly key: MapKey }> {
  readonly #byHash = new Map<number, Value[]>();

  constructor(values: readonly Value[]) {
    for (const value of values) {
      const hash = hashOf(value.key);
      this.#byHash.set(hash, [...(this.#byHash.get(hash) ?? []), value]);
    }
  }

  /** The value whose key is the string at `start` to `end` of `bytes`. */
  ofBytes(bytes: Uint8Array, start: number, end: number): Value | undefined {
    return this.#byHash.get(hashBytes(bytes, start, end))?.find(({ key }) => {
      if (!("bytes" in key) || key.bytes.length !== end - start) return false;
      return key.bytes.every((byte, index) => byte === bytes[start + index]);
    });
  }

  /** The value whose key is the integer or bool in `scanned`. If `scanned` has no item, the key is 0. */
  ofInteger({ words, numItems, encoding }: Column): Value | undefined {
    const low = numItems === 0 ? 0 : words[0]!;
    const high = numItems > 0 && isWide(encoding) ? words[1]! : 0;
    return this.#byHash
      .get(hashInteger(low, high))
      ?.find(({ key }) => "low" in key && key.low === low && key.high === high);
  }
}

/** True for 64-bit integers. */
function isWide(encoding: Encoding): boolean {
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
