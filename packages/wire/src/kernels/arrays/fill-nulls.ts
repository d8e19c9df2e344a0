import { ArrayStatus, type ValueArray } from "./array-kernels.js";
import { checkFill } from "./check-arrays.js";

/** @see {@link ArrayKernels.fillNulls} */
export function fillNulls<T extends ValueArray>(
  values: T,
  validity: Uint8Array,
  firstBit: number,
  fill: T[number],
  target: T,
): ArrayStatus {
  const status = checkFill(values, validity, firstBit, target);
  if (status !== ArrayStatus.ok) return status;
  target.set(values as never);
  const end = firstBit + values.length;
  for (let bit = firstBit; bit < end; ) {
    const byte = validity[bit >> 3]!;
    const next = Math.min((bit | 7) + 1, end);
    if (byte !== 0xff) {
      for (let at = bit; at < next; at++) {
        if (((byte >> (at & 7)) & 1) === 0) target[at - firstBit] = fill as never;
      }
    }
    bit = next;
  }
  return ArrayStatus.ok;
}
