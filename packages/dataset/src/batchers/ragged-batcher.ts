import type { HostColumn, HostDense, HostRagged } from "@tfxio/tensor-adapter";
import { columnOfOne, gatherColumns } from "../columns/column-rows.js";
import { gatherValues } from "../columns/gather-values.js";
import { wholeSources } from "../columns/row-ranges.js";
import { type BatchContext, type Batcher, hostLeaves, wrongKind, wrongLeaf } from "./batcher.js";
import { emptyDense } from "./element-shape.js";

/** The division of dimensions into ragged and uniform ones. */
export interface RaggedSettings {
  /** Sizes of the trailing uniform dimensions of every element. The leading dimensions become ragged. */
  readonly innerShape: readonly number[];
}

/**
 * Creates a batcher for dense elements of equal rank, or for ragged elements, to which it adds one ragged level. Dense elements
 * whose rank is at most the length of `innerShape`, such as scalars, have no ragged dimension and are stacked. Empty batches are
 * float32.
 */
export function raggedBatcher({ innerShape }: RaggedSettings): Batcher {
  return {
    batch(leaves, context) {
      const hosts = hostLeaves(leaves, context);
      const [first] = hosts as readonly [HostColumn];
      hosts.forEach((host, index) => {
        if (host.kind === first.kind && host.kind !== "sparse") return;
        throw wrongKind(context, index, host.kind, host.kind === "sparse" ? "dense or ragged" : first.kind);
      });
      if (first.kind === "dense" && first.shape.length > innerShape.length) {
        return raggedOfDense(hosts as readonly HostDense[], innerShape, context);
      }
      return gatherColumns(hosts.map(columnOfOne), wholeSources(hosts.map(() => 1)), context.path);
    },
    empty: () => ({
      ...emptyDense("float32", innerShape),
      kind: "ragged",
      nestedRowSplits: [Int32Array.of(0)],
      innerShape,
      rowSplitsDtype: "int64",
    }),
  };
}

function raggedOfDense(
  rows: readonly HostDense[],
  innerShape: readonly number[],
  context: BatchContext,
): HostRagged {
  const rank = (rows[0] as HostDense).shape.length;
  const numLevels = rank - innerShape.length;
  rows.forEach(({ shape }, index) => {
    if (shape.length !== rank) throw wrongLeaf(context, index, `of rank ${shape.length}`, `of rank ${rank}`);
    const found = shape.slice(numLevels);
    // An element without values, such as `[[]]`, need not have the inner sizes.
    if (shape.includes(0) || found.every((size, dimension) => size === innerShape[dimension])) return;
    throw wrongLeaf(
      context,
      index,
      `of inner shape [${found.join(", ")}]`,
      `of inner shape [${innerShape.join(", ")}]`,
    );
  });
  const values = gatherValues(
    rows.map((row) => row.values),
    (rows[0] as HostDense).dtype,
    wholeSources(rows.map((row) => row.values.length)),
    1,
  );
  return {
    kind: "ragged",
    dtype: (rows[0] as HostDense).dtype,
    values,
    nestedRowSplits: Array.from({ length: numLevels }, (_, level) => splitsAt(rows, level)),
    innerShape,
    rowSplitsDtype: "int64",
    borrowed: false,
  };
}

/**
 * Returns the row splits of dimension `level` for all elements. The number of rows that an element adds is the
 * product of its sizes in the dimensions before `level`.
 */
function splitsAt(rows: readonly HostDense[], level: number): Int32Array {
  const splits = [0];
  let end = 0;
  for (const { shape } of rows) {
    const count = shape.slice(0, level).reduce((product, size) => product * size, 1);
    for (let index = 0; index < count; index++) splits.push((end += shape[level] as number));
  }
  return Int32Array.from(splits);
}
