import { ConversionError } from "@tfxio/wire";
import type { Tensor } from "../tensors/tensorflow.js";
import { type HostColumn, MAX_ELEMENTS } from "../host/host-column.js";
import { sizeOf } from "../rows/row-of-value.js";
import { deviceTensor, deviceValues, fillOf, type OnDeviceOptions } from "./device-tensor.js";
import { padKernel, padOnHost } from "./pad.js";
import { aListOf, anInteger, anObject, aUint8Array, assertArgument, assertOptions } from "@tfxio/wire/checks";
import { aTensorFactory, aByteThreshold } from "../argument-rules.js";

/** Rows of equal shape, some of them null, packed as in an Arrow list column. */
export interface NullableRows extends Pick<HostColumn, "dtype" | "values"> {
  /** One byte per row, 1 for null, as `nullMask` of @tfxio/arrow-encoding returns it. */
  readonly isNull: Uint8Array;
  /** Shape of one row. `values` holds the non-null rows, concatenated. */
  readonly rowShape: readonly number[];
}

/** Options of {@link fillNullRows}. */
export interface FillNullRowsOptions extends OnDeviceOptions {
  /** Value of null rows. Default 0. */
  readonly defaultValue?: number | undefined;
}

/**
 * Returns rows as a dense tensor, `[rows, …rowShape]`, with null rows filled. On WebGPU, results of at least `minDeviceBytes`
 * are built on the device from the packed values, with the same bits as on the host. Accepts int32 and float32 only.
 * @throws {UnsupportedError} `unsupported` (`device-dtype`).
 * @throws {ConversionError} `shape-mismatch` (`malformed-tensor`) if the number of values does not match the non-null rows;
 * `out-of-range` (`batch-too-large`).
 * @throws {ArgumentError} `invalid-argument` for values in an array that does not match `dtype`, and for an invalid `isNull`,
 * `rowShape`, default or threshold.
 */
export function fillNullRows(nullable: NullableRows, options: FillNullRowsOptions): Tensor {
  assertOptions("fillNullRows", options, {
    tf: aTensorFactory,
    minDeviceBytes: aByteThreshold,
    defaultValue: null,
  });
  assertArgument("nullable", nullable, anObject);
  const { isNull, rowShape } = nullable;
  assertArgument("isNull", isNull, aUint8Array);
  assertArgument("rowShape", rowShape, aListOf("a shape", anInteger(0, MAX_ELEMENTS)));
  const { values, dtype } = deviceValues(nullable);
  const fill = fillOf(options.defaultValue ?? 0, dtype);
  const shape = [isNull.length, ...rowShape];
  const innerSize = sizeOf(rowShape);
  const rowSplits = new Int32Array(isNull.length + 1);
  for (let row = 0; row < isNull.length; row++) {
    rowSplits[row + 1] = (rowSplits[row] as number) + (isNull[row] === 0 ? 1 : 0);
  }
  const numPresent = rowSplits[isNull.length] as number;
  if (values.length !== numPresent * innerSize) {
    throw new ConversionError(
      "shape-mismatch",
      `The ${numPresent} non-null rows of shape [${rowShape.join(", ")}] take ${numPresent * innerSize} values, found ${values.length}.`,
      { reason: "malformed-tensor" },
    );
  }
  if (sizeOf(shape) > MAX_ELEMENTS) {
    throw new ConversionError(
      "out-of-range",
      `A tensor of shape [${shape.join(", ")}] is too large; the maximum is ${MAX_ELEMENTS} elements.`,
      { reason: "batch-too-large" },
    );
  }
  const plan = { values, nestedRowSplits: [rowSplits], innerSize, sizes: [1], fill };
  return (
    deviceTensor(options, shape, dtype, () => padKernel(plan)) ??
    options.tf.tensor(padOnHost(plan), shape, dtype)
  );
}
