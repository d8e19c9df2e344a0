import { ArrayStatus, type ValueArray } from "./array-kernels.js";

/** Maximum length of a varint in bytes, reached by every negative int64. */
export const MAX_VARINT_BYTES = 10;
/** Maximum position, because positions are int32. */
const MAX_POSITION = 0x7fff_ffff;

/** Returns true if there is at least one split, and no split is negative, below the previous one or above `numValues`. */
function areSplits(rowSplits: Int32Array, numValues: number): boolean {
  let previous = 0;
  for (let i = 0; i < rowSplits.length; i++) {
    const split = rowSplits[i]!;
    if (split < previous) return false;
    previous = split;
  }
  return rowSplits.length > 0 && previous <= numValues;
}

function areAlike(values: ValueArray, target: ValueArray): boolean {
  return values[Symbol.toStringTag] === target[Symbol.toStringTag];
}

function numValuesOf(rowSplits: Int32Array): number {
  return rowSplits[rowSplits.length - 1]! - rowSplits[0]!;
}

/** Checks the arguments of {@link ArrayKernels.cooIndices}. */
export function checkCoo(rowSplits: Int32Array, target: Int32Array | BigInt64Array): ArrayStatus {
  if (!areSplits(rowSplits, MAX_POSITION)) return ArrayStatus.badPositions;
  return target.length === 2 * numValuesOf(rowSplits) ? ArrayStatus.ok : ArrayStatus.badTarget;
}

/** Checks the arguments of {@link ArrayKernels.padRows}. */
export function checkPad(
  values: ValueArray,
  rowSplits: Int32Array,
  width: number,
  target: ValueArray,
): ArrayStatus {
  if (!areSplits(rowSplits, values.length)) return ArrayStatus.badPositions;
  const isTarget =
    Number.isInteger(width) && target.length === (rowSplits.length - 1) * width && areAlike(values, target);
  return isTarget ? ArrayStatus.ok : ArrayStatus.badTarget;
}

/** Checks the arguments of {@link ArrayKernels.gatherRanges}. */
export function checkGather(
  values: ValueArray,
  stride: number,
  starts: Uint32Array,
  ends: Uint32Array,
  target: ValueArray,
): ArrayStatus {
  const numValues = values.length / stride;
  if (starts.length !== ends.length || !Number.isInteger(stride) || stride < 1)
    return ArrayStatus.badPositions;
  let total = 0;
  for (let i = 0; i < starts.length; i++) {
    const end = ends[i]!;
    const length = end - starts[i]!;
    if (length < 0 || end > numValues) return ArrayStatus.badPositions;
    total += length;
  }
  return target.length === total * stride && areAlike(values, target)
    ? ArrayStatus.ok
    : ArrayStatus.badTarget;
}

/** Checks the arguments of {@link ArrayKernels.fillNulls}. */
export function checkFill(
  values: ValueArray,
  stride: number,
  validity: Uint8Array,
  firstBit: number,
  target: ValueArray,
): ArrayStatus {
  const numValues = values.length / stride;
  const areWhole = Number.isInteger(numValues) && Number.isInteger(firstBit) && firstBit >= 0 && stride >= 1;
  if (!areWhole || firstBit + numValues > validity.length * 8) return ArrayStatus.badPositions;
  return target.length === values.length && areAlike(values, target) ? ArrayStatus.ok : ArrayStatus.badTarget;
}

/** Checks the arguments of {@link ArrayKernels.encodeVarints}. */
export function checkVarints(
  values: BigInt64Array,
  rowSplits: Int32Array,
  target: Uint8Array,
  byteSplits: Int32Array,
): ArrayStatus {
  if (!areSplits(rowSplits, values.length)) return ArrayStatus.badPositions;
  const most = numValuesOf(rowSplits) * MAX_VARINT_BYTES;
  if (most > MAX_POSITION) return ArrayStatus.tooLarge;
  const isTarget = target.length >= most && byteSplits.length === rowSplits.length;
  return isTarget ? ArrayStatus.ok : ArrayStatus.badTarget;
}
