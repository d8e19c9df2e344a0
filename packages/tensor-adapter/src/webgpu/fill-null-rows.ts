import { ConversionError } from "@tfxio/wire";
import type { Tensor } from "@tensorflow/tfjs-core";
import { type HostColumn, MAX_ELEMENTS } from "../host-column.js";
import { deviceTensor, deviceValues, fillOf, type OnDeviceOptions } from "./device-tensor.js";
import { fillOnHost, presentRows } from "./host-kernels.js";
import { fillCode } from "./wgsl.js";

/** Rows of one shape of which some are null, as Arrow packs a list column. */
export interface NullableRows extends Pick<HostColumn, "dtype" | "values"> {
  /** A byte per row, 1 for null, as `nullMask` of @tfxio/arrow-encoding gives it. */
  readonly isNull: Uint8Array;
  /** Shape of a row. `values` holds the rows that are not null, one after the other. */
  readonly rowShape: readonly number[];
}

/** Options of {@link fillNullRows}. */
export interface FillNullRowsOptions extends OnDeviceOptions {
  /** What null rows are filled with. Default 0. */
  readonly defaultValue?: number | undefined;
}

/**
 * Rows as a dense tensor, `[rows, …rowShape]`, the null ones filled. On WebGPU the packed values are uploaded and the
 * null rows made there, with the same bits as on the host. int32 and float32 only.
 * @throws {UnsupportedError} `unsupported` (`device-dtype`).
 * @throws {ConversionError} `shape-mismatch` (`malformed-tensor`) when the values are not those of the present rows;
 * `out-of-range` (`batch-too-large`, `device-limit`).
 * @throws {ArgumentError} `invalid-argument` for a default or threshold that cannot be.
 */
export function fillNullRows(nullable: NullableRows, options: FillNullRowsOptions): Tensor {
  const { values, dtype } = deviceValues(nullable);
  const { isNull, rowShape } = nullable;
  const { fill, bits } = fillOf(options.defaultValue ?? 0, dtype);
  const shape = [isNull.length, ...rowShape];
  const rowSize = rowShape.reduce((product, size) => product * size, 1);
  const rows = presentRows(isNull);
  const numPresent = rows.filter((row) => row >= 0).length;
  if (values.length !== numPresent * rowSize) {
    throw new ConversionError(
      "shape-mismatch",
      `Found ${values.length} values for ${numPresent} rows of shape [${rowShape.join(", ")}] that are not null.`,
      { reason: "malformed-tensor" },
    );
  }
  const numElements = isNull.length * rowSize;
  if (numElements > MAX_ELEMENTS) {
    throw new ConversionError("out-of-range", `A tensor of shape [${shape.join(", ")}] is too large.`, {
      reason: "batch-too-large",
    });
  }
  return deviceTensor(
    options,
    shape,
    dtype,
    () => ({
      code: fillCode,
      params: [numElements, rowSize, bits],
      positions: rows,
      values,
      numInvocations: numElements,
    }),
    () => fillOnHost(values, rows, rowSize, fill),
  );
}
