import type { HostColumn, HostDense, HostSparse } from "@tfxio/tensor-adapter";
import { ConversionError } from "@tfxio/wire";
import { columnOfOne, gatherColumns } from "../columns/column-rows.js";
import { wholeSources } from "../columns/row-ranges.js";
import { type BatchContext, type Batcher, hostLeaves, placeOf, wrongKind, wrongLeaf } from "./batcher.js";
import { type ElementShape, emptyDense, fixedSize } from "./element-shape.js";

/** The row shape of a sparse batch. */
export interface SparseSettings {
  /** Shape of one element. Default: for every dimension, the largest size in the batch. */
  readonly shape: ElementShape | undefined;
}

/**
 * Creates a batcher that combines elements into one sparse value with a leading batch dimension. Every value of a dense element
 * becomes an entry, even 0. Empty batches are float32.
 */
export function sparseBatcher({ shape }: SparseSettings): Batcher {
  return {
    batch(leaves, context) {
      const rows = hostLeaves(leaves, context).map((host, index) => sparseLeaf(host, index, context));
      const rank = shape?.length ?? (rows[0] as HostSparse).denseShape.length;
      rows.forEach((row, index) => checkSizes(row, rank, { shape, context, index }));
      const batch = gatherColumns(
        rows.map(columnOfOne),
        wholeSources(rows.map(() => 1)),
        context.path,
      ) as HostSparse;
      const [numRows = 0, ...largest] = batch.denseShape;
      return {
        ...batch,
        denseShape: [numRows, ...largest.map((size, dimension) => fixedSize(shape, dimension) ?? size)],
      };
    },
    empty: () => ({
      ...emptyDense("float32", []),
      kind: "sparse",
      indices: new Int32Array(),
      denseShape: [0, ...(shape ?? []).map((size) => Math.max(0, size ?? 0))],
    }),
  };
}

function sparseLeaf(host: HostColumn, index: number, context: BatchContext): HostSparse {
  if (host.kind === "sparse") return host;
  if (host.kind === "dense") return sparseOfDense(host);
  throw wrongKind(context, index, host.kind, "sparse or dense");
}

function sparseOfDense({ dtype, shape, values, borrowed }: HostDense): HostSparse {
  const rank = shape.length;
  const indices = new Int32Array(values.length * rank);
  for (let entry = 0; entry < values.length; entry++) {
    let left = entry;
    for (let dimension = rank - 1; dimension >= 0; dimension--) {
      const size = shape[dimension] as number;
      indices[entry * rank + dimension] = left % size;
      left = Math.floor(left / size);
    }
  }
  return { kind: "sparse", dtype, indices, values, denseShape: shape, borrowed };
}

function checkSizes(
  { denseShape }: HostSparse,
  rank: number,
  { shape, context, index }: { shape: ElementShape | undefined; context: BatchContext; index: number },
): void {
  if (denseShape.length !== rank) {
    throw wrongLeaf(context, index, `of rank ${denseShape.length}`, `of rank ${rank}`);
  }
  denseShape.forEach((size, dimension) => {
    const limit = fixedSize(shape, dimension);
    if (limit === undefined || size <= limit) return;
    throw new ConversionError(
      "shape-mismatch",
      `${placeOf(context, index)} must have size ${limit} or less in dimension ${dimension}, found ${size}.`,
      { reason: "data-loss", tensorName: context.path },
    );
  });
}
