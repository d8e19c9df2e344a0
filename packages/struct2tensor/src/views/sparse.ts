import type { HostSparse } from "@tfxio/tensor-adapter";
import { runLengthBefore } from "../prensor/joins.js";
import type { LeafNode, PrensorNode } from "../prensor/nodes.js";
import { assertCount, countingUp, gatherPositions } from "../prensor/positions.js";
import { assertAscending } from "./ragged.js";

/**
 * Returns a leaf as a sparse tensor, in row-major order. Borrows the values.
 * @param size number of rows.
 * @param chain the nodes from the child of the root to the leaf.
 */
export function sparseView(size: number, chain: readonly PrensorNode[]): HostSparse {
  const denseShape = [size];
  // One array for each dimension, with the coordinate of every element at the current level.
  let coordinates: readonly Int32Array[] = [countingUp(size)];
  for (const node of chain) {
    const { parentIndex, rowSplits, isRepeated } = node as LeafNode;
    if (rowSplits === undefined) assertAscending(parentIndex);
    coordinates = coordinates.map((coordinate) => gatherPositions(coordinate, parentIndex));
    if (!isRepeated) continue;
    const positions = runLengthBefore(parentIndex);
    denseShape.push(positions.reduce((most, position) => Math.max(most, position + 1), 0));
    coordinates = [...coordinates, positions];
  }
  const { dtype, values } = chain.at(-1) as LeafNode;
  return {
    kind: "sparse",
    dtype,
    values,
    indices: interleaved(coordinates, values.length),
    denseShape,
    borrowed: true,
  };
}

/** Interleaves one array per dimension into row-major indices of shape `[length, rank]`. */
function interleaved(coordinates: readonly Int32Array[], length: number): Int32Array {
  const rank = coordinates.length;
  assertCount(rank * length);
  const indices = new Int32Array(rank * length);
  coordinates.forEach((coordinate, dimension) => {
    for (let index = 0; index < length; index++) indices[index * rank + dimension] = coordinate[index]!;
  });
  return indices;
}
