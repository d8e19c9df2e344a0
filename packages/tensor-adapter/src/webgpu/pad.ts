import { sizeOf } from "../rows/row-of-value.js";
import type { TensorArray } from "../host/narrowing.js";
import type { GpuBuffer, Kernel } from "./gpu-device.js";
import { padCode } from "./wgsl.js";

/** Nested lists and the layout of their dense form. */
export interface PadPlan<Values = TensorArray> {
  readonly values: Values;
  /** Row splits, outermost first. */
  readonly nestedRowSplits: readonly Int32Array[];
  /** Number of elements in an innermost value. */
  readonly innerSize: number;
  /** Size of each ragged dimension in the result. Longer lists are truncated. */
  readonly sizes: readonly number[];
  /** The fill value: one element. */
  readonly fill: TensorArray;
}

/** Returns the dense form, built on the host. The kernel must return the same bits. */
export function padOnHost({ values, nestedRowSplits, innerSize, sizes, fill }: PadPlan): TensorArray {
  const numRows = (nestedRowSplits[0]?.length ?? 1) - 1;
  const strides = stridesOf(sizes, innerSize);
  const ArrayType = values.constructor as new (length: number) => TensorArray;
  const result = new ArrayType(numRows * (strides[0] as number)).fill(fill[0] as number);
  const put = (level: number, list: number, at: number): void => {
    const splits = nestedRowSplits[level] as Int32Array;
    const begin = splits[list] as number;
    const size = Math.min((splits[list + 1] as number) - begin, sizes[level] as number);
    if (level === sizes.length - 1) {
      result.set(values.subarray(begin * innerSize, (begin + size) * innerSize), at);
    } else {
      for (let item = 0; item < size; item++)
        put(level + 1, begin + item, at + item * (strides[level + 1] as number));
    }
  };
  if (result.length === 0) return result;
  for (let row = 0; row < numRows; row++) put(0, row, row * (strides[0] as number));
  return result;
}

/** Returns the kernel call that builds the dense form on the device. */
export function padKernel(plan: PadPlan<TensorArray | GpuBuffer>): Kernel {
  const { values, nestedRowSplits, innerSize, sizes, fill } = plan;
  const numRows = (nestedRowSplits[0]?.length ?? 1) - 1;
  const { positions, begins } = joinedSplits(nestedRowSplits);
  const strides = stridesOf(sizes, 1);
  const levels = begins.flatMap((begin, level) => [strides[level + 1] as number, begin]);
  const [bits = 0] = new Uint32Array(fill.buffer, fill.byteOffset, 1);
  const numElements = numRows * sizeOf(sizes) * innerSize;
  return {
    code: padCode,
    params: [numElements, sizes.length, innerSize, bits, strides[0] as number, ...levels],
    positions,
    values,
    numInvocations: numElements,
  };
}

/**
 * Returns the strides: the number of elements in a row, then in an item of each ragged dimension, outermost first. The last is
 * `innerSize`.
 */
function stridesOf(sizes: readonly number[], innerSize: number): number[] {
  const strides = [innerSize];
  for (const size of sizes.toReversed()) strides.unshift((strides[0] as number) * size);
  return strides;
}

/** Returns the row splits of all levels in one array, and the position at which each level begins. */
export function joinedSplits(nestedRowSplits: readonly Int32Array[]): {
  readonly positions: Int32Array;
  readonly begins: readonly number[];
} {
  const begins: number[] = [];
  let total = 0;
  for (const { length } of nestedRowSplits) {
    begins.push(total);
    total += length;
  }
  if (nestedRowSplits.length === 1) return { positions: nestedRowSplits[0] as Int32Array, begins };
  const positions = new Int32Array(total);
  nestedRowSplits.forEach((splits, level) => positions.set(splits, begins[level]));
  return { positions, begins };
}
