import type { Column } from "./column.js";
import { Encoding } from "../encoding.js";
import { CUT, type VarintReader } from "./varint-reader.js";

/** Stores a varint in an item of a column, according to the column's encoding. */
export function storeVarint(column: Column, item: number, low: number, high: number): void {
  const { words } = column;
  switch (column.encoding) {
    case Encoding.varint32:
      words[item] = low;
      return;
    case Encoding.zigzag32:
      words[item] = (low >>> 1) ^ -(low & 1);
      return;
    case Encoding.bool:
      words[item] = (low | high) === 0 ? 0 : 1;
      return;
    case Encoding.varint64:
      words[item * 2] = low;
      words[item * 2 + 1] = high;
      return;
    case Encoding.zigzag64: {
      const sign = -(low & 1);
      words[item * 2] = ((low >>> 1) | (high << 31)) ^ sign;
      words[item * 2 + 1] = (high >>> 1) ^ sign;
      return;
    }
    default:
      throw new Error(`the encoding ${column.encoding} does not use varints`);
  }
}

/** Reads four bytes as a little-endian int32. */
export function int32At(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
}

/**
 * Stores packed varints in the list of `parent`. In a singular field, each value replaces the previous one. Returns the end of
 * the bytes, or the error result of {@link VarintReader.read}.
 */
export function storePackedVarints(
  column: Column,
  parent: number,
  bytes: Uint8Array,
  start: number,
  end: number,
  varint: VarintReader,
): number {
  let at = start;
  while (at < end) {
    const byte = bytes[at]!;
    if (byte < 0x80) {
      at++;
      storeVarint(column, column.itemOf(parent), byte, 0);
      continue;
    }
    at = varint.read(bytes, at, end);
    if (at < 0) return at;
    storeVarint(column, column.itemOf(parent), varint.low, varint.high);
  }
  return at;
}

/**
 * Stores packed values of four or eight bytes each. Returns the end of the bytes, or {@link CUT} if they are not a whole number
 * of values.
 */
export function storePackedFixed(
  column: Column,
  parent: number,
  bytes: Uint8Array,
  start: number,
  end: number,
): number {
  const wordsEach = column.encoding === Encoding.fixed64 ? 2 : 1;
  if ((end - start) % (wordsEach * 4) !== 0) return CUT;
  for (let at = start; at < end; at += wordsEach * 4) {
    const item = column.itemOf(parent);
    const { words } = column;
    words[item * wordsEach] = int32At(bytes, at);
    if (wordsEach === 2) words[item * 2 + 1] = int32At(bytes, at + 4);
  }
  return end;
}
