import type { DatasetState } from "./checkpoint/dataset-state.js";
import type { ComponentSelection } from "./operators/elements/to-xy.js";

/** Options of {@link Dataset.batch}. */
export interface BatchOptions {
  /** Drop a smaller last batch. Default false: no row is lost. */
  readonly dropRemainder?: boolean | undefined;
}

/** Options of {@link Dataset.recordBatches}. */
export interface RebatchOptions extends BatchOptions {
  /** Rows in every batch except the last. Default: batches as they arrive; shuffled rows in batches of up to 1024. */
  readonly batchSize?: number | undefined;
  /** State to resume from: {@link DatasetIterator.state} of an earlier record-batch iterator. Default: the first row. */
  readonly state?: DatasetState | undefined;
  /** Aborting ends the pass: the loop throws `signal.reason`. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of {@link Dataset.shuffle}. */
export interface ShuffleOptions {
  /** Integer of at least 0. Default: drawn once, when the dataset is created. */
  readonly seed?: number | undefined;
  /** Use a new order in every pass, derived from the seed and the pass number. Default true. */
  readonly reshuffleEachIteration?: boolean | undefined;
}

/** Options of {@link Dataset.toXY}. */
export interface ToXYOptions<Ys extends ComponentSelection, Xs extends ComponentSelection | undefined> {
  /** Component or components that the model learns to predict. */
  readonly ys: Ys;
  /** Component or components that the model gets as input. Default: all except `ys`. */
  readonly xs?: Xs;
  /**
   * Keep labels of shape [n] unchanged. Default false: they become [n, 1], which sparse categorical losses also accept.
   * Those losses reject int32 labels, so use `withTensors({ int64: { ys: "float32" } })` with them.
   */
  readonly keepRank?: boolean | undefined;
}

/** Options of {@link Dataset.iterator}. */
export interface IterateOptions {
  /** State to resume from: an earlier {@link DatasetIterator.state}. Default: the first element. */
  readonly state?: DatasetState | undefined;
  /** Aborting ends the pass: `next()` rejects with `signal.reason`. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Effect of an element error, such as a function that threw or a value that cannot be converted. `"end"` (default) ends
   * the pass and frees everything, like any other error, because `for await` and `fitDataset` stop reading after an error.
   * With `"continue"`, the next `next()` returns the following element, and the caller must close the iterator.
   */
  readonly onElementError?: "end" | "continue" | undefined;
}

/** Options of {@link Dataset.map}. */
export interface MapOptions {
  /** Maximum number of concurrent calls. The same number of elements is read ahead. Default 1. */
  readonly parallel?: number | undefined;
  /** Keep the results in element order (default). False yields each result as soon as it is ready. */
  readonly ordered?: boolean | undefined;
}

/** Options of {@link Dataset.window}. */
export interface WindowOptions {
  /** Distance between the starts of two windows, in elements. `"size"` makes windows adjacent. Default 1. */
  readonly shift?: number | "size" | undefined;
  /** Distance between two elements of a window, in elements of the input. Default 1. */
  readonly stride?: number | undefined;
  /** Drop windows that the input does not fill. Default true. */
  readonly dropRemainder?: boolean | undefined;
}

/**
 * The window defaults of `tf.data` in TensorFlow: `window(3, TF_WINDOW)` makes adjacent windows, and the last may be
 * smaller. Without it, windows follow the RFC: each starts one element after the previous one, and all are full.
 */
export const TF_WINDOW: Readonly<Required<WindowOptions>> = Object.freeze({
  shift: "size",
  stride: 1,
  dropRemainder: false,
});

/** Options of {@link Dataset.paddedBatch}. */
export interface PaddedBatchOptions extends BatchOptions {
  /**
   * Padded shape of each leaf, in the structure of an element. null or -1 stands for the largest size in the batch. Larger
   * elements than a fixed size fail. Default: the largest size in the batch, in every dimension.
   */
  readonly shapes?: unknown;
  /** Padding values in the same structure, or one value for all. Default: 0, false or the empty string. */
  readonly values?: unknown;
}

/** Options of {@link Dataset.raggedBatch}. */
export interface RaggedBatchOptions extends BatchOptions {
  /** Trailing dimensions that have the same sizes in every element. Default `[]`: every dimension is ragged. */
  readonly innerShape?: readonly number[] | undefined;
}

/** Options of {@link Dataset.interleave}. */
export interface CycleOptions {
  /** Number of datasets read in turn. Default 16. */
  readonly cycle?: number | undefined;
  /** Consecutive elements taken from one dataset per turn. Default 1. */
  readonly block?: number | undefined;
  /** Let all datasets of a cycle read ahead, by one turn each. Default false. */
  readonly parallel?: boolean | undefined;
  /** With `parallel`: keep the order of turns (default). False takes elements as they become ready. */
  readonly ordered?: boolean | undefined;
}

/** Options of {@link Dataset.bucketBySequenceLength}. */
export interface BucketOptions<T> extends Pick<PaddedBatchOptions, "shapes" | "values"> {
  /** Returns the length of an element. */
  readonly length: (element: T) => number;
  /** Ascending. An element goes to the first bucket whose boundary is above its length. */
  readonly boundaries: readonly number[];
  /** Batch size per bucket. Has one entry more than `boundaries`, for elements at or above the last boundary. */
  readonly batchSizes: readonly number[];
  /** Pad to the boundary minus one, not to the longest element of the batch. Elements of the last bucket fail. Default false. */
  readonly padToBoundary?: boolean | undefined;
  /** Batch without padding, so lengths within a batch must be equal. Default false. */
  readonly noPadding?: boolean | undefined;
  /** Drop batches that are not full. Default false. */
  readonly dropRemainder?: boolean | undefined;
}

/** Options of {@link Dataset.ignoreErrors}. */
export interface IgnoreErrorsOptions {
  /** Called with each ignored error. */
  readonly log?: ((error: unknown) => void) | undefined;
  /** Maximum number of ignored errors; the next one ends the pass. Default: unlimited. */
  readonly max?: number | undefined;
}

/** Options of {@link Dataset.rejectionResample}. */
export interface ResampleOptions {
  /** Target share of each class, indexed by class number. Only the proportions matter. */
  readonly target: readonly number[];
  /** Share of each class in this dataset. Default: estimated from the elements so far, which needs some hundred elements. */
  readonly initial?: readonly number[] | undefined;
  /** Integer of at least 0. Equal seeds drop the same elements. Default: drawn once, when the dataset is created. */
  readonly seed?: number | undefined;
}

/** Options of {@link Dataset.reduce}. */
export interface ReduceOptions {
  /** Aborting ends the pass: the promise rejects with `signal.reason`. */
  readonly signal?: AbortSignal | undefined;
}
