import type { HostColumns } from "@tfxio/tensor-adapter";
import { aFunction, assertArgument, assertOptions } from "@tfxio/wire/checks";
import { aCardinality, type Cardinality } from "./cardinality.js";
import { Dataset } from "./dataset.js";
import type { RowOf } from "./columns/element-types.js";
import { type BlockFactory, blocksPlan } from "./sources/from-blocks.js";

/** Options of {@link fromBlocks}. */
export interface FromBlocksOptions {
  /** Number of rows in one pass, if known. Default `"unknown"`. */
  readonly cardinality?: Cardinality | undefined;
}

/**
 * Creates a dataset of the rows of column blocks. Each pass calls `factory` once, at the first `next()`, and reads its blocks one
 * at a time, on demand. Blocks are borrowed and never modified. All blocks must have the same columns, and sparse indices must be
 * in row order. Each row is one element: a dict with one leaf for each column.
 * @throws {ArgumentError} `invalid-argument` for invalid arguments. The iterator throws it for a value that is not a block.
 * @throws {ConversionError} `shape-mismatch` for a column that differs from its block in the number of rows, and when an operator
 *   such as `batch` joins blocks that differ in their columns. The iterator throws it.
 * @throws {UserFunctionError} `user-function` if the factory, or the iterable that it returns, throws. The iterator of the
 *   dataset throws it, but passes on a TfxioError unchanged.
 */
export function fromBlocks<Columns extends HostColumns = HostColumns>(
  factory: BlockFactory<Columns>,
  options: FromBlocksOptions = {},
): Dataset<RowOf<Columns>> {
  assertArgument("factory", factory, aFunction, "fromBlocks");
  assertOptions("fromBlocks", options, { cardinality: aCardinality });
  const { cardinality = "unknown" } = options;
  return new Dataset(blocksPlan(factory, cardinality));
}
