import { anElementShape, type ElementShape } from "../batchers/element-shape.js";
import { paddedComponents } from "../batchers/padded-components.js";
import { raggedBatcher } from "../batchers/ragged-batcher.js";
import { sparseBatcher } from "../batchers/sparse-batcher.js";
import type { Batched, Unbatched } from "../columns/element-types.js";
import type { BatchOptions, PaddedBatchOptions, RaggedBatchOptions } from "../dataset-options.js";
import type { Dataset } from "../dataset.js";
import { batchByPlan } from "../operators/batching/batch-by.js";
import { batchWithPlan } from "../operators/batching/batch-with.js";
import { batchPlan } from "../operators/batching/batch.js";
import { resizedBatchesPlan } from "../operators/batching/rebatch.js";
import { unbatchPlan } from "../operators/elements/unbatch.js";
import { datasetOf, planIn } from "../plan-of.js";
import { aDictOfReducers } from "../reducers/reduce-many.js";
import type { AnyReducer } from "../reducers/reducer.js";
import {
  aBoolean,
  aListOf,
  anInteger,
  aPositiveInteger,
  assertArgument,
  assertOptions,
  rule,
} from "@tfxio/wire/checks";

const aBatchSize = anInteger(0);
const someBatchSizes = rule(
  "an integer of at least 0, or a list of at least one, not all of which are 0",
  (value) => Array.isArray(value) && value.every(aBatchSize.holds) && value.some((size) => size > 0),
);

/** Operators that make batches of elements, and elements of batches. Part of {@link Dataset}. */
export abstract class BatchingOperators<T> {
  /**
   * `count` elements stacked into one with a leading dimension. Host values become host columns (numbers float32,
   * bigints int64, booleans bool), tensors a tensor. Rows from `fromBlocks` are joined column by column, ragged
   * columns included; once a function made elements of them, ragged rows are vectors, which need equal lengths.
   * @param options a bare boolean is read as tfjs reads it: `smallLastBatch`.
   * @throws {ArgumentError} `invalid-argument` when `count` is no positive integer; from the iterator, with reason
   *   `unequal-elements`, when elements differ in structure, shape or dtype.
   */
  batch(count: number, options: BatchOptions | boolean = {}): Dataset<Batched<T>> {
    assertArgument("count", count, aPositiveInteger, "batch");
    const asked = typeof options === "boolean" ? { dropRemainder: !options } : options;
    assertOptions("batch", asked, { dropRemainder: aBoolean });
    const { dropRemainder = false } = asked;
    return datasetOf(batchPlan(planIn(this), count, dropRemainder));
  }

  /**
   * As {@link batch}, but elements may differ in size: they are padded at the end of each dimension.
   * @throws {ArgumentError} `invalid-argument`; from the iterator for elements of another rank or dtype.
   * @throws {ConversionError} `shape-mismatch` (`data-loss`) from the iterator for an element larger than its shape.
   * @throws {SchemaError} `schema-mismatch` (`type-mismatch`) from the iterator for sparse and ragged values.
   */
  paddedBatch(count: number, options: PaddedBatchOptions = {}): Dataset<Batched<T>> {
    assertArgument("count", count, aPositiveInteger, "paddedBatch");
    assertOptions("paddedBatch", options, { dropRemainder: aBoolean, shapes: null, values: null });
    const { dropRemainder = false, shapes, values } = options;
    const batcherFor = paddedComponents({ shapes, values, openSize: undefined }, "paddedBatch");
    const settings = { operator: "paddedBatch", size: count, dropRemainder, batcherFor };
    return datasetOf(batchWithPlan(planIn(this), settings));
  }

  /**
   * As {@link batch}, but elements may differ in size: each of their dimensions becomes a ragged one. Scalars are stacked.
   * @throws {ArgumentError} `invalid-argument`; from the iterator for elements of another rank or dtype.
   * @throws {SchemaError} `schema-mismatch` (`type-mismatch`) from the iterator for sparse values.
   */
  raggedBatch(count: number, options: RaggedBatchOptions = {}): Dataset<unknown> {
    assertArgument("count", count, aPositiveInteger, "raggedBatch");
    assertOptions("raggedBatch", options, {
      dropRemainder: aBoolean,
      innerShape: aListOf("sizes", anInteger(0)),
    });
    const { dropRemainder = false, innerShape = [] } = options;
    const batcher = raggedBatcher({ innerShape });
    const settings = { operator: "raggedBatch", size: count, dropRemainder, batcherFor: () => batcher };
    return datasetOf(batchWithPlan(planIn(this), settings));
  }

  /**
   * Elements, dense or sparse, as one sparse value of dense shape `[n, ...rowShape]`; null or -1 for the largest of the
   * batch.
   * @throws {ArgumentError} `invalid-argument`; from the iterator for elements of another rank or dtype.
   * @throws {ConversionError} `shape-mismatch` (`data-loss`) from the iterator for an element larger than `rowShape`.
   */
  sparseBatch(count: number, rowShape: ElementShape, options: BatchOptions = {}): Dataset<unknown> {
    assertArgument("count", count, aPositiveInteger, "sparseBatch");
    assertArgument("rowShape", rowShape, anElementShape, "sparseBatch");
    assertOptions("sparseBatch", options, { dropRemainder: aBoolean });
    const batcher = sparseBatcher({ shape: rowShape });
    const { dropRemainder = false } = options;
    const settings = { operator: "sparseBatch", size: count, dropRemainder, batcherFor: () => batcher };
    return datasetOf(batchWithPlan(planIn(this), settings));
  }

  /**
   * As {@link batch}, but with a reducer such as `paddedBatchDense` or `ragged` for each component that you name, by name or
   * index. The other components are stacked.
   * @throws {ArgumentError} `invalid-argument`; from the iterator for a component that elements lack; errors of reducers.
   */
  batchBy(
    count: number,
    reducers: Readonly<Record<string, AnyReducer>>,
    options: BatchOptions = {},
  ): Dataset<unknown> {
    assertArgument("count", count, aPositiveInteger, "batchBy");
    assertArgument("reducers", reducers, aDictOfReducers, "batchBy");
    assertOptions("batchBy", options, { dropRemainder: aBoolean });
    const byName = new Map(Object.entries(reducers));
    const { dropRemainder = false } = options;
    return datasetOf(batchByPlan(planIn(this), { size: count, dropRemainder, reducers: byName }));
  }

  /**
   * Rows of batches: every element replaced by its slices along the first dimension, which all its components share.
   * @throws {ArgumentError} `invalid-argument` (`unequal-elements`) from the iterator for components of unequal length and
   *   for scalars.
   */
  unbatch(): Dataset<Unbatched<T>> {
    return datasetOf(unbatchPlan(planIn(this)));
  }

  /**
   * Cuts batches into batches of other sizes: one size, or several sizes in turn. Size 0 gives a batch without rows.
   * @throws {ArgumentError} `invalid-argument`; from the iterator as {@link unbatch} and {@link batch}.
   */
  rebatch(sizes: number | readonly number[], options: BatchOptions = {}): Dataset<T> {
    const list = typeof sizes === "number" ? [sizes] : sizes;
    assertArgument("sizes", list, someBatchSizes, "rebatch");
    assertOptions("rebatch", options, { dropRemainder: aBoolean });
    return datasetOf(resizedBatchesPlan(planIn(this), list, options.dropRemainder ?? false));
  }
}
