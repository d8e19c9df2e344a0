import type { Column } from "./column.js";
import { Encoding } from "../encoding.js";

/** Field number of the key in the entries of every map. */
export const MAP_KEY = 1;
/** Field number of the value in the entries of every map. */
export const MAP_VALUE = 2;

/** A map key in a form that is fast to compare: the two int32 halves of an integer, or the bytes of a string. */
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

  /** Returns the value whose key is the string in `bytes` from `start` to `end`, exclusive. Undefined if there is none. */
  ofBytes(bytes: Uint8Array, start: number, end: number): Value | undefined {
    return this.#byHash.get(hashBytes(bytes, start, end))?.find(({ key }) => {
      if (!("bytes" in key) || key.bytes.length !== end - start) return false;
      return key.bytes.every((byte, index) => byte === bytes[start + index]);
    });
  }

  /**
   * Returns the value whose key is the integer or bool in the given column. If the column has no item, the key is 0, the default.
   * Undefined if there is no such value.
   */
  ofInteger({ words, numItems, encoding }: Column): Value | undefined {
    const low = numItems === 0 ? 0 : words[0]!;
    const high = numItems > 0 && isWide(encoding) ? words[1]! : 0;
    return this.#byHash
      .get(hashInteger(low, high))
      ?.find(({ key }) => "low" in key && key.low === low && key.high === high);
  }
}

/** Returns true for encodings of 64-bit integers, which take two words. */
function isWide(encoding: Encoding): boolean {
  return encoding === Encoding.varint64 || encoding === Encoding.zigzag64 || encoding === Encoding.fixed64;
}

function hashOf(key: MapKey): number {
  return "bytes" in key ? hashBytes(key.bytes, 0, key.bytes.length) : hashInteger(key.low, key.high);
}

/** Mixes the halves of an integer. The factor is Knuth's: a prime near 2^32 / φ, where φ is the golden ratio. */
function hashInteger(low: number, high: number): number {
  return low ^ Math.imul(high, 0x9e3779b1);
}

/** Returns the 32-bit FNV-1a hash. */
function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5 | 0;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
  return hash;
}
