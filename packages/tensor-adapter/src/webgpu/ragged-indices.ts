import type { Tensor } from "@tensorflow/tfjs-core";
import { assertHostColumn } from "../check-host-column.js";
import type { HostRagged } from "../host-column.js";
import { deviceTensor, type OnDeviceOptions } from "./device-tensor.js";
import { indicesOnHost } from "./host-kernels.js";
import { concatenated } from "./ragged-to-dense.js";
import { indicesCode } from "./wgsl.js";

/**
 * COO indices of a ragged column's values: int32 `[values, 1 + ragged rank + rank of the inner shape]`, row-major. With
 * `column.values` as a tensor they make a sparse one. On WebGPU only the row splits are uploaded. Any dtype.
 * @throws {ConversionError} `shape-mismatch` (`malformed-tensor`); `out-of-range` (`batch-too-large`, `device-limit`).
 * @throws {ArgumentError} `invalid-argument` for a threshold that cannot be.
 */
export function raggedIndices(column: HostRagged, options: OnDeviceOptions): Tensor {
  assertHostColumn(column, "ragged");
  const { nestedRowSplits, innerShape } = column;
  const numValues = column.values.length;
  const rank = 1 + nestedRowSplits.length + innerShape.length;
  return deviceTensor(
    options,
    [numValues, rank],
    "int32",
    () => {
      const { positions, begins } = concatenated(nestedRowSplits);
      const innerSize = innerShape.reduce((product, size) => product * size, 1);
      const levels = begins.flatMap((begin, level) => [
        begin,
        (nestedRowSplits[level] as Int32Array).length - 1,
      ]);
      return {
        code: indicesCode,
        params: [numValues, nestedRowSplits.length, innerSize, innerShape.length, ...levels, ...innerShape],
        positions,
        numInvocations: numValues,
      };
    },
    () => indicesOnHost(nestedRowSplits, innerShape, numValues),
  );
}
