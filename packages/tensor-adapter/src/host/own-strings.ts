import type { BytesColumn } from "@tfxio/arrow-encoding";
import { allocated } from "./allocated.js";

/**
 * Copies all values into arrays that TensorFlow.js takes as strings, in one copy for the whole column. Backends keep the
 * arrays for as long as the tensor lives, which may be longer than the batch's memory.
 */
export function ownStrings({ data, offsets, length }: BytesColumn): Uint8Array[] {
  const first = offsets[0] ?? 0;
  const own = allocated(Uint8Array, (offsets[length] ?? 0) - first);
  own.set(data.subarray(first, first + own.length));
  const { buffer, byteOffset } = own;
  const values: Uint8Array[] = [];
  // A constructor per value in a plain loop takes about a quarter of the time of `Array.from` and `subarray`.
  for (let index = 0, start = byteOffset; index < length; index++) {
    const end = byteOffset + (offsets[index + 1] as number) - first;
    values.push(new Uint8Array(buffer, start, end - start));
    start = end;
  }
  return values;
}
