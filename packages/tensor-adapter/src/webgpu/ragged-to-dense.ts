import { ArgumentError, ConversionError } from "@tfxio/wire";
import type { Tensor } from "../tensors/tensorflow.js";
import { assertRagged } from "../host/check-host-column.js";
import { type HostRagged, MAX_ELEMENTS, numRowsOf } from "../host/host-column.js";
import { longestList } from "../tensors/ragged-layout.js";
import { sizeOf } from "../rows/row-of-value.js";
import { deviceTensor, deviceValues, fillOf, type OnDeviceOptions } from "./device-tensor.js";
import { padKernel, padOnHost } from "./pad.js";
import { aList, assertOptions } from "@tfxio/wire/checks";
import { aTensorFactory, aByteThreshold } from "../argument-rules.js";

/** Options of {@link raggedToDense}. */
export interface RaggedToDenseOptions extends OnDeviceOptions {
  /** Fill value. Default 0. */
  readonly defaultValue?: number | undefined;
  /**
   * Size of each ragged dimension, outermost first. Longer lists are truncated at their end. A null or omitted dimension is
   * as long as its longest list. Default `[]`.
   */
  readonly sizes?: readonly (number | null)[] | undefined;
}

/**
 * Returns a ragged column as a dense tensor, `[rows, …one size per ragged dimension, …inner shape]`, padded at the end of each
 * list. On WebGPU, results of at least `minDeviceBytes` are built on the device from the packed values and row splits. The bits
 * are the same as on the host. Accepts int32 and float32 only: narrow other dtypes first.
 * @throws {UnsupportedError} `unsupported` (`device-dtype`).
 * @throws {ConversionError} `shape-mismatch` (`malformed-tensor`); `out-of-range` (`batch-too-large`).
 * @throws {ArgumentError} `invalid-argument` for a column that is not ragged, and for an invalid size, default or threshold.
 */
export function raggedToDense(column: HostRagged, options: RaggedToDenseOptions): Tensor {
  assertOptions("raggedToDense", options, {
    tf: aTensorFactory,
    minDeviceBytes: aByteThreshold,
    defaultValue: null,
    sizes: aList,
  });
  assertRagged(column);
  const { values, dtype } = deviceValues(column);
  const fill = fillOf(options.defaultValue ?? 0, dtype);
  const { nestedRowSplits, innerShape } = column;
  const sizes = sizesOf(nestedRowSplits, options.sizes ?? []);
  const shape = [numRowsOf(column), ...sizes, ...innerShape];
  if (sizeOf(shape) > MAX_ELEMENTS) {
    throw new ConversionError(
      "out-of-range",
      `A tensor of shape [${shape.join(", ")}] is too large; the maximum is ${MAX_ELEMENTS} elements.`,
      { reason: "batch-too-large" },
    );
  }
  const plan = { values, nestedRowSplits, innerSize: sizeOf(innerShape), sizes, fill };
  return (
    deviceTensor(options, shape, dtype, () => padKernel(plan)) ??
    options.tf.tensor(padOnHost(plan), shape, dtype)
  );
}

function sizesOf(nestedRowSplits: readonly Int32Array[], sizes: readonly (number | null)[]): number[] {
  if (sizes.length > nestedRowSplits.length) {
    throw badSizes(
      `must have at most ${nestedRowSplits.length} entries, one for each ragged dimension, found ${sizes.length}`,
    );
  }
  return nestedRowSplits.map((splits, level) => {
    const size = sizes[level] ?? longestList(splits);
    if (Number.isInteger(size) && size >= 0) return size;
    throw badSizes(`must hold integers of at least 0, or null, found ${size}`);
  });
}

function badSizes(finding: string): ArgumentError {
  return new ArgumentError("invalid-argument", `sizes ${finding}.`, { argument: "sizes" });
}
