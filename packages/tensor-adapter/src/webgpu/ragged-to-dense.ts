import { ArgumentError, ConversionError } from "@tfxio/wire";
import type { Tensor } from "@tensorflow/tfjs-core";
import { assertHostColumn } from "../check-host-column.js";
import { type HostRagged, MAX_ELEMENTS } from "../host-column.js";
import { deviceTensor, deviceValues, fillOf, type OnDeviceOptions } from "./device-tensor.js";
import { padOnHost, stridesOf } from "./host-kernels.js";
import { padCode } from "./wgsl.js";

/** Options of {@link raggedToDense}. */
export interface RaggedToDenseOptions extends OnDeviceOptions {
  /** Where there is no value. Default 0. */
  readonly defaultValue?: number | undefined;
  /**
   * Size of each ragged dimension, outermost first; longer lists are cut off at their end. Null, and a dimension that is
   * left out, is as long as the longest list. Default: all are.
   */
  readonly sizes?: readonly (number | null)[] | undefined;
}

/**
 * A ragged column as a dense tensor, `[rows, …one size per ragged dimension, …inner shape]`, padded at the end of each
 * list. On WebGPU the packed values and row splits are uploaded and the padded form is made there, with the same bits as
 * on the host. int32 and float32 only: narrow other dtypes first.
 * @throws {UnsupportedError} `unsupported` (`device-dtype`).
 * @throws {ConversionError} `shape-mismatch` (`malformed-tensor`); `out-of-range` (`batch-too-large`, `device-limit`).
 * @throws {ArgumentError} `invalid-argument` for a size, default or threshold that cannot be.
 */
export function raggedToDense(column: HostRagged, options: RaggedToDenseOptions): Tensor {
  const { values, dtype } = deviceValues(column);
  assertHostColumn(column, "ragged");
  const { fill, bits } = fillOf(options.defaultValue ?? 0, dtype);
  const { nestedRowSplits, innerShape } = column;
  const sizes = sizesOf(nestedRowSplits, options.sizes ?? []);
  const numRows = (nestedRowSplits[0] as Int32Array).length - 1;
  const shape = [numRows, ...sizes, ...innerShape];
  const innerSize = innerShape.reduce((product, size) => product * size, 1);
  const numElements = shape.reduce((product, size) => product * size, 1);
  if (numElements > MAX_ELEMENTS) {
    throw new ConversionError("out-of-range", `A tensor of shape [${shape.join(", ")}] is too large.`, {
      reason: "batch-too-large",
    });
  }
  return deviceTensor(
    options,
    shape,
    dtype,
    () => {
      const { positions, begins } = concatenated(nestedRowSplits);
      const strides = stridesOf(sizes, innerSize).map((stride) => stride / innerSize);
      const levels = begins.flatMap((begin, level) => [strides[level + 1] as number, begin]);
      return {
        code: padCode,
        params: [numElements, sizes.length, innerSize, bits, strides[0] as number, ...levels],
        positions,
        values,
        numInvocations: numElements,
      };
    },
    () => padOnHost({ values, nestedRowSplits, innerSize, sizes, numElements, fill }),
  );
}

/** All row splits in one array, and where each begins. */
export function concatenated(nestedRowSplits: readonly Int32Array[]): {
  readonly positions: Int32Array;
  readonly begins: readonly number[];
} {
  const begins = nestedRowSplits.map((_splits, level) =>
    nestedRowSplits.slice(0, level).reduce((total, { length }) => total + length, 0),
  );
  const positions = new Int32Array(nestedRowSplits.reduce((total, { length }) => total + length, 0));
  nestedRowSplits.forEach((splits, level) => positions.set(splits, begins[level]));
  return { positions, begins };
}

function sizesOf(nestedRowSplits: readonly Int32Array[], sizes: readonly (number | null)[]): number[] {
  if (sizes.length > nestedRowSplits.length) {
    throw badSizes(`has ${sizes.length} sizes for ${nestedRowSplits.length} ragged dimensions`);
  }
  return nestedRowSplits.map((splits, level) => {
    const size = sizes[level] ?? longest(splits);
    if (Number.isInteger(size) && size >= 0) return size;
    throw badSizes(`has the size ${size}, expected a whole number from 0`);
  });
}

function longest(splits: Int32Array): number {
  let size = 0;
  for (let row = 1; row < splits.length; row++) {
    size = Math.max(size, (splits[row] as number) - (splits[row - 1] as number));
  }
  return size;
}

function badSizes(finding: string): ArgumentError {
  return new ArgumentError("invalid-argument", `sizes ${finding}.`, { argument: "sizes" });
}
