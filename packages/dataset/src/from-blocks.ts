import type { HostColumns } from "@tfxio/tensor-adapter";
import { aFunction, assertArgument, assertOptions } from "@tfxio/wire/checks";
import { aCardinality, type Cardinality } from "./cardinality.js";
import { Dataset } from "./dataset.js";
import type { RowOf } from "./columns/element-types.js";
import { type BlockFactory, blocksPlan } from "./sources/from-blocks.js";

/** Options of {@link fromBlocks}. */
export interface FromBlocksOptions {
  /** Number of rows of one pass, where it is known. Default `"unknown"`. */
  readonly cardinality?: Cardinality | undefined;
}

/**
 * A dataset of rows that arrive as column batches. `factory` is called once per pass, at its first `next()`; its blocks
 * are read one at a time, as they are needed, and are not written to. All blocks need the same columns; sparse indices
 * lie in row order. One element is one row, a dict of the columns' rows.
 * @throws {ArgumentError} `invalid-argument` for a factory that is no function or a cardinality that is no count;
 *   from the iterator for what is no block, and what the factory's blocks throw: errors of this project as they are, others as
 *   {@link UserFunctionError}; {@link ConversionError} `shape-mismatch` when blocks contradict themselves or each other.
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
