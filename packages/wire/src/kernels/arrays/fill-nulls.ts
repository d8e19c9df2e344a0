import { ArrayStatus, type ValueArray } from "./array-kernels.js";
import { checkFill } from "./check-arrays.js";

/** @see {@link ArrayKernels.fillNulls} */
export function fillNulls<T extends ValueArray>(
  values: T,
  stride: number,
  validity: Uint8Array,
  firstBit: number,
  fill: T[number],
  target: T,
): ArrayStatus {
  const status = checkFill(values, stride, validity, firstBit, target);
  if (status !== ArrayStatus.ok) return status;
  target.set(values as never);
  const endBit = firstBit + values.length / stride;
  // Uses `%` and `/`, because bitwise operators give wrong results for bit positions of 2^31 and more.
  for (let byteBit = firstBit - (firstBit % 8); byteBit < endBit; byteBit += 8) {
    // In `nulls`, 1 marks a null. The bits before the first value and after the last value are 0.
    let nulls = ~validity[byteBit / 8]! & 0xff;
    if (byteBit < firstBit) nulls &= 0xff << (firstBit - byteBit);
    if (endBit - byteBit < 8) nulls &= 0xff >> (byteBit + 8 - endBit);
    for (; nulls !== 0; nulls &= nulls - 1) {
      const at = (byteBit - firstBit + 31 - Math.clz32(nulls & -nulls)) * stride;
      if (stride === 1) target[at] = fill as never;
      else target.fill(fill as never, at, at + stride);
    }
  }
  return ArrayStatus.ok;
}
