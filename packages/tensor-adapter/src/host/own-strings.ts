import { BytesColumn } from "@tfxio/arrow-encoding";
import { allocated } from "./allocated.js";

/** Returns a copy of the values, because a tensor may outlive the batch's memory. Offsets and bytes share one buffer. */
export function ownBytes({ data, offsets, length }: BytesColumn): BytesColumn {
  const first = offsets[0] ?? 0;
  const numBytes = (offsets[length] ?? 0) - first;
  const offsetBytes = Int32Array.BYTES_PER_ELEMENT * (length + 1);
  const { buffer } = allocated(Uint8Array, offsetBytes + numBytes);
  const ownOffsets = new Int32Array(buffer, 0, length + 1);
  for (let index = 0; index < length; index++) ownOffsets[index + 1] = (offsets[index + 1] as number) - first;
  const own = new Uint8Array(buffer, offsetBytes);
  own.set(data.subarray(first, first + numBytes));
  return new BytesColumn(own, ownOffsets);
}

/** Returns one Uint8Array per value, as TensorFlow.js expects for strings. The arrays are views of the column. */
export function stringsOf({ data, offsets, length }: BytesColumn): Uint8Array[] {
  const { buffer, byteOffset } = data;
  const values: Uint8Array[] = [];
  // Calling the constructor in a plain loop takes about a quarter of the time of `Array.from` with `subarray`.
  for (let index = 0; index < length; index++) {
    const start = offsets[index] as number;
    values.push(new Uint8Array(buffer, byteOffset + start, (offsets[index + 1] as number) - start));
  }
  return values;
}
