import type { BytesColumn } from "@tfxio/arrow-encoding";
import { allocated } from "./allocated.js";

/**
 * Every value, as TensorFlow.js takes strings, in memory of their own: backends keep the arrays for as long as the
 * tensor lives, and a batch's memory may go before. One copy for the whole column.
 */
export function ownStrings({ data, offsets, length }: BytesColumn): Uint8Array[] {
  const first = offsets[0] ?? 0;
  const own = allocated(Uint8Array, (offsets[length] ?? 0) - first);
  own.set(data.subarray(first, first + own.length));
  return Array.from({ length }, (_, index) =>
    own.subarray((offsets[index] as number) - first, (offsets[index + 1] as number) - first),
  );
}
