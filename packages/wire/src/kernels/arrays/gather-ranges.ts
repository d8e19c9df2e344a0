import { ArrayStatus, type ValueArray } from "./array-kernels.js";
import { checkGather } from "./check-arrays.js";
import { copyUnits, unitsOf } from "./copy-units.js";

/** @see {@link ArrayKernels.gatherRanges} */
export function gatherRanges<T extends ValueArray>(
  values: T,
  stride: number,
  starts: Uint32Array,
  ends: Uint32Array,
  target: T,
): ArrayStatus {
  const status = checkGather(values, stride, starts, ends, target);
  if (status === ArrayStatus.ok) copyRanges(values, stride, starts, ends, target);
  return status;
}

/** Copies ranges without checks. The arguments must have passed {@link checkGather}. */
export function copyRanges(
  values: ValueArray,
  stride: number,
  starts: Uint32Array,
  ends: Uint32Array,
  target: ValueArray,
): void {
  const isAligned = values.byteOffset % 4 === 0 && target.byteOffset % 4 === 0;
  const source = unitsOf(values, isAligned ? stride : 1);
  const out = unitsOf(target, isAligned ? stride : 1);
  const scale = (stride * values.BYTES_PER_ELEMENT) / source.BYTES_PER_ELEMENT;
  let at = 0;
  for (let i = 0; i < starts.length; i++) {
    const start = starts[i]! * scale;
    const end = ends[i]! * scale;
    copyUnits(source, start, end, out, at);
    at += end - start;
  }
}
