import type { Data } from "apache-arrow";
import type { RowRanges } from "./row-ranges.js";

/**
 * Returns the null count and validity bitmap of the rows in `ranges`, in the form that `makeData` expects.
 * @param length Total length of the ranges.
 */
export function gatherValidity(
  sources: readonly Data[],
  ranges: RowRanges,
  length: number,
): { nullCount: number; nullBitmap?: Uint8Array } {
  if (sources.every((data) => data.nullCount === 0)) return { nullCount: 0 };
  const bitmapOf = (data: Data): Uint8Array | undefined =>
    data.nullCount === 0 ? undefined : data.nullBitmap;
  const nullBitmap = gatherBits(sources, ranges, length, bitmapOf);
  let nullCount = length;
  for (const byte of nullBitmap) for (let bits = byte; bits !== 0; bits &= bits - 1) nullCount--;
  return { nullCount, nullBitmap };
}

/**
 * Copies the bits of the rows in `ranges`, least significant bit first. A missing bitmap means that all bits are 1.
 * @param length Total length of the ranges.
 */
export function gatherBits(
  sources: readonly Data[],
  { count, source, start, end }: RowRanges,
  length: number,
  bitmapOf: (data: Data) => Uint8Array | undefined,
): Uint8Array {
  const bitmaps = sources.map(bitmapOf);
  const out = new Uint8Array((length + 7) >> 3);
  let at = 0;
  for (let i = 0; i < count; i++) {
    const number = source[i]!;
    const bitmap = bitmaps[number];
    const { offset } = sources[number]!;
    const last = offset + end[i]!;
    for (let bit = offset + start[i]!; bit < last; bit++, at++) {
      const isSet = bitmap === undefined ? 1 : (bitmap[bit >> 3]! >> (bit & 7)) & 1;
      out[at >> 3] = out[at >> 3]! | (isSet << (at & 7));
    }
  }
  return out;
}
