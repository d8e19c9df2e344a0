import { ConversionError } from "@tfxio/wire";
import type { Tensor } from "./tensorflow.js";
import { isSize } from "../host/check-host-column.js";
import { outsideDimension } from "../host/outside-dimension.js";
import { aList, assertArgument } from "@tfxio/wire/checks";
import { aTensor } from "../argument-rules.js";
import { badPart } from "./tensor-ops.js";

/** Checks dtypes and shapes of the parts of a sparse tensor. Reads no values. @throws {ArgumentError} `invalid-argument`. */
export function assertSparseParts(indices: Tensor, values: Tensor, denseShape: readonly number[]): void {
  assertArgument("indices", indices, aTensor);
  assertArgument("values", values, aTensor);
  assertArgument("denseShape", denseShape, aList);
  const [numRows = -1, ...sizes] = denseShape;
  if (!isSize(numRows) || !sizes.every((size) => size === -1 || isSize(size))) {
    const expected = "list the number of rows, then the size of each other dimension, or -1 if it is unknown";
    throw badPart("denseShape", expected, `[${denseShape.join(", ")}]`);
  }
  if (values.rank !== 1) throw badPart("values", "have one dimension", `[${values.shape.join(", ")}]`);
  const expected = [values.size, denseShape.length];
  if (indices.dtype === "int32" && String(indices.shape) === String(expected)) return;
  const found = `${indices.dtype} [${indices.shape.join(", ")}]`;
  throw badPart("indices", `be int32 [${expected.join(", ")}], one index per value`, found);
}

/**
 * Checks that `hostIndices` lie inside the dense shape, and returns them.
 * @throws {ConversionError} `out-of-range` (`sparse-index`), with the row; `shape-mismatch` (`malformed-tensor`) if the number
 * of indices differs from that on the device.
 */
export function checkedIndices(
  hostIndices: Int32Array,
  indices: Tensor,
  denseShape: readonly number[],
): Int32Array {
  if (hostIndices?.length !== indices.size) {
    throw new ConversionError(
      "shape-mismatch",
      "The indices on the host and on the device differ in length.",
      {
        reason: "malformed-tensor",
      },
    );
  }
  const rank = denseShape.length;
  for (let at = 0; at < hostIndices.length; at += rank) {
    for (let dimension = 0; dimension < rank; dimension++) {
      const index = hostIndices[at + dimension] as number;
      const size = denseShape[dimension] as number;
      if (index >= 0 && (size === -1 || index < size)) continue;
      throw outsideDimension(`Value ${at / rank}`, { index, dimension, size, row: hostIndices[at] });
    }
  }
  return hostIndices;
}
