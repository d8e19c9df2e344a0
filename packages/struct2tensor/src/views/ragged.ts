import type { HostRagged } from "@tfxio/tensor-adapter";
import { ConversionError } from "@tfxio/wire";
import { rowSplitsOf } from "../prensor/joins.js";
import type { LeafNode, PrensorNode } from "../prensor/nodes.js";

/**
 * Returns a leaf as a ragged tensor. Borrows the values, and the row splits of nodes that have them.
 * @param size number of rows.
 * @param chain the nodes from the child of the root to the leaf.
 */
export function raggedView(size: number, chain: readonly PrensorNode[]): HostRagged {
  let numParents = size;
  const nestedRowSplits = chain.map((node) => {
    const splits = (node as LeafNode).rowSplits ?? ascendingSplits(node as LeafNode, numParents);
    numParents = splits.at(-1)!;
    return splits;
  });
  const { dtype, values } = chain.at(-1) as LeafNode;
  return {
    kind: "ragged",
    dtype,
    values,
    nestedRowSplits,
    innerShape: [],
    rowSplitsDtype: "int64",
    borrowed: true,
  };
}

/** Computes row splits from parent indices. @throws The errors of {@link assertAscending}. */
function ascendingSplits({ parentIndex }: LeafNode, numParents: number): Int32Array {
  assertAscending(parentIndex);
  return rowSplitsOf(parentIndex, numParents);
}

/** Asserts that parent indices never decrease. @throws {ConversionError} `not-convertible` (`parent-order`). */
export function assertAscending(parentIndex: Int32Array): void {
  for (let index = 1; index < parentIndex.length; index++) {
    if (parentIndex[index]! >= parentIndex[index - 1]!) continue;
    throw new ConversionError(
      "not-convertible",
      `Parent indices must never decrease, found ${parentIndex[index]} after ${parentIndex[index - 1]} at element ${index}.`,
      { reason: "parent-order" },
    );
  }
}
