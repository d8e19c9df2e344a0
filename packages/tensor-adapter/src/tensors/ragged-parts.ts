import { ConversionError } from "@tfxio/wire";
import type { Tensor } from "./tensorflow.js";
import { problemOfSplits } from "../host/check-host-column.js";
import { aList, assertArgument } from "@tfxio/wire/checks";
import { aTensor } from "../argument-rules.js";
import { badPart } from "./tensor-ops.js";

/** Checks dtypes and shapes of the parts of a ragged tensor. Reads no values. @throws {ArgumentError} `invalid-argument`. */
export function assertRaggedParts(values: Tensor, nestedRowSplits: readonly Tensor[]): void {
  assertArgument("values", values, aTensor);
  if (values.rank === 0) throw badPart("values", "have at least one dimension", "a scalar");
  assertArgument("nestedRowSplits", nestedRowSplits, aList);
  if (nestedRowSplits.length === 0) throw badPart("nestedRowSplits", "hold at least one tensor", "none");
  for (const splits of nestedRowSplits) {
    assertArgument("nestedRowSplits", splits, aTensor);
    const { dtype, shape } = splits;
    if (dtype !== "int32" || shape.length !== 1 || shape[0] === 0)
      throw badPart(
        "nestedRowSplits",
        "hold int32 vectors of at least one element",
        `${dtype} [${shape.join(", ")}]`,
      );
  }
}

/**
 * Returns `known` if it is defined. Otherwise reads the row splits from the device, blocking the thread. In both cases, checks
 * the row splits against the number of values.
 * @throws {ConversionError} `shape-mismatch` (`malformed-tensor`).
 */
export function checkedRowSplits(
  values: Tensor,
  nestedRowSplits: readonly Tensor[],
  known: readonly Int32Array[] | undefined,
): readonly Int32Array[] {
  const rowSplits = known ?? nestedRowSplits.map((splits) => splits.dataSync<"int32">());
  const isAsLong =
    rowSplits?.length === nestedRowSplits.length &&
    nestedRowSplits.every(({ size }, level) => rowSplits[level]?.length === size);
  const problem = isAsLong
    ? problemOfSplits(rowSplits, values.shape[0], 1)
    : "the row splits on the host and on the device differ in length";
  if (problem === undefined) return rowSplits;
  throw new ConversionError("shape-mismatch", `Malformed ragged tensor: ${problem}.`, {
    reason: "malformed-tensor",
  });
}
