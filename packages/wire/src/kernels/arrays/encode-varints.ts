import { ArrayStatus } from "./array-kernels.js";
import { checkVarints } from "./check-arrays.js";

/** @see {@link ArrayKernels.encodeVarints} */
export function encodeVarints(
  values: BigInt64Array,
  rowSplits: Int32Array,
  target: Uint8Array,
  byteSplits: Int32Array,
): ArrayStatus {
  const status = checkVarints(values, rowSplits, target, byteSplits);
  if (status !== ArrayStatus.ok) return status;
  const halves = new Int32Array(values.buffer, values.byteOffset, values.length * 2);
  let at = 0;
  byteSplits[0] = 0;
  for (let row = 0; row + 1 < rowSplits.length; row++) {
    const end = rowSplits[row + 1]! * 2;
    for (let i = rowSplits[row]! * 2; i < end; i += 2) {
      let low = halves[i]!;
      let high = halves[i + 1]!;
      while (high !== 0) {
        target[at++] = low | 0x80;
        low = (low >>> 7) | (high << 25);
        high >>>= 7;
      }
      for (; low < 0 || low > 0x7f; low >>>= 7) target[at++] = low | 0x80;
      target[at++] = low;
    }
    byteSplits[row + 1] = at;
  }
  return ArrayStatus.ok;
}
