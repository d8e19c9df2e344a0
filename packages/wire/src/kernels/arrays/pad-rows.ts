import { ArrayStatus, type ValueArray } from "./array-kernels.js";
import { checkPad } from "./check-arrays.js";
import { copyUnits, unitsOf } from "./copy-units.js";

/** @see {@link ArrayKernels.padRows} */
export function padRows<T extends ValueArray>(
  values: T,
  rowSplits: Int32Array,
  width: number,
  fill: T[number],
  target: T,
): ArrayStatus {
  const status = checkPad(values, rowSplits, width, target);
  if (status !== ArrayStatus.ok) return status;
  target.fill(fill as never);
  const source = unitsOf(values);
  const words = unitsOf(target);
  const scale = source.length / Math.max(values.length, 1);
  for (let row = 0; row + 1 < rowSplits.length; row++) {
    const start = rowSplits[row]!;
    const end = Math.min(rowSplits[row + 1]!, start + width);
    copyUnits(source, start * scale, end * scale, words, row * width * scale);
  }
  return ArrayStatus.ok;
}
