import type { DatasetState } from "./checkpoint/dataset-state.js";
import type { ComponentSelection } from "./operators/elements/to-xy.js";

/** Options of {@link Dataset.batch}. */
export interface BatchOptions {
  /** Drops a last batch that is not full. Default false, so that no row is lost. */
  readonly dropRemainder?: boolean | undefined;
}

/** Options of {@link Dataset.recordBatches}. */
export interface RebatchOptions extends BatchOptions {
  /**
   * Number of rows in every batch except the last. By default, each batch holds rows of one source batch or, after a shuffle with
   * a buffer, up to 1024 rows.
   */
  readonly batchSize?: number | undefined;
  /** State to resume from: {@link DatasetIterator.state} of an earlier iterator of record batches. Default: the first row. */
  readonly state?: DatasetState | undefined;
  /** Cancels the pass: `next()` rejects with `signal.reason`. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of {@link Dataset.shuffle}. */
export interface ShuffleOptions {
  /** Integer of at least 0. Default: a random seed, drawn when the dataset is created. */
  readonly seed?: number | undefined;
  /** Uses a new order in every pass, computed from the seed and the pass number. Default true. */
  readonly reshuffleEachIteration?: boolean | undefined;
}

/** Options of {@link Dataset.toXY}. */
export interface ToXYOptions<Ys extends ComponentSelection, Xs extends ComponentSelection | undefined> {
  /** The component or components that the model learns to predict. */
  readonly ys: Ys;
  /** The component or components that the model receives as input. Default: all except `ys`. */
  readonly xs?: Xs;
  /**
   * Keeps labels of shape [n] unchanged. Default false: they become [n, 1], which sparse categorical losses also accept.
   * With those losses, which reject int32 labels, use `withTensors({ int64: { ys: "float32" } })`.
   */
  readonly keepRank?: boolean | undefined;
}

/** Options of {@link Dataset.iterator}. */
export interface IterateOptions {
  /**
   * State to resume from: an earlier {@link DatasetIterator.state}. Default: the state of {@link Dataset.resume}, otherwise the
   * first element.
   */
  readonly state?: DatasetState | undefined;
  /** Cancels the pass: `next()` rejects with `signal.reason`. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Effect of an element that fails, for example because a function throws or a value cannot be converted. With `"end"`
   * (default), such an element ends the pass and frees everything, as any other error does. This suits `for await` and
   * `fitDataset`, which stop reading after an error. With `"continue"`, the following `next()` returns the next element, and the
   * caller must close the iterator.
   */
  readonly onElementError?: "end" | "continue" | undefined;
}

/** Options of {@link Dataset.map}. */
export interface MapOptions {
  /** Maximum number of concurrent calls, and of elements read ahead. Default 1. */
  readonly parallel?: number | undefined;
  /** True keeps the results in the order of the elements. False returns each result as soon as it is ready. Default true. */
  readonly ordered?: boolean | undefined;
}

/** Options of {@link Dataset.window}. */
export interface WindowOptions {
  /** Distance between the starts of two consecutive windows, in elements. `"size"` means the size of a window. Default 1. */
  readonly shift?: number | "size" | undefined;
  /** Distance between two consecutive elements of a window, in elements of the input. Default 1. */
  readonly stride?: number | undefined;
  /** Drops the windows at the end that have fewer elements than `size`. Default true. */
  readonly dropRemainder?: boolean | undefined;
}

/**
 * The defaults of windows in TensorFlow's `tf.data`: `window(3, TF_WINDOW)` makes adjacent windows, of which the last may be
 * smaller. Without these options, windows follow TensorFlow's RFC on general windowing: each starts one element after the
 * previous one, and all are full.
 */
export const TF_WINDOW: Readonly<Required<WindowOptions>> = Object.freeze({
  shift: "size",
  stride: 1,
  dropRemainder: false,
});

/** Options of {@link Dataset.paddedBatch}. */
export interface PaddedBatchOptions extends BatchOptions {
  /**
   * Padded shape of each leaf, in the structure of an element. null or -1 means the largest size in the batch. A batch with an
   * element larger than a fixed size fails. Default: the largest size in the batch, in every dimension.
   */
  readonly shapes?: unknown;
  /** Padding value of each leaf, in the structure of an element, or one value for all. Default: 0, false or the empty string. */
  readonly values?: unknown;
}

/** Options of {@link Dataset.raggedBatch}. */
export interface RaggedBatchOptions extends BatchOptions {
  /** Sizes of the trailing dimensions, which must be equal in all elements. Default `[]`: every dimension is ragged. */
  readonly innerShape?: readonly number[] | undefined;
}

/** Options of {@link Dataset.interleave}. */
export interface CycleOptions {
  /** Number of datasets that are read in turn. Default 16. */
  readonly cycle?: number | undefined;
  /** Number of consecutive elements to take from a dataset in its turn. Default 1. */
  readonly block?: number | undefined;
  /** Reads one turn ahead in every dataset of the cycle. Default false. */
  readonly parallel?: boolean | undefined;
  /** Keeps the order of the turns when `parallel` is true. False takes elements as they become ready. Default true. */
  readonly ordered?: boolean | undefined;
}

/** Options of {@link Dataset.bucketBySequenceLength}. */
export interface BucketOptions<T> extends Pick<PaddedBatchOptions, "shapes" | "values"> {
  /** Returns the length of an element. */
  readonly length: (element: T) => number;
  /** Upper bounds of the buckets, ascending and exclusive. An element goes to the first bucket whose bound exceeds its length. */
  readonly boundaries: readonly number[];
  /** Batch size of each bucket. The list has one more entry than `boundaries`, for elements that reach the last boundary. */
  readonly batchSizes: readonly number[];
  /**
   * Pads to one less than the upper bound of the bucket, not to the longest element of a batch. Batches of the last bucket then
   * fail, because it has no upper bound. Default false.
   */
  readonly padToBoundary?: boolean | undefined;
  /** Turns padding off, so all elements of a batch must have equal lengths. Default false. */
  readonly noPadding?: boolean | undefined;
  /** Drops batches that are not full. Default false. */
  readonly dropRemainder?: boolean | undefined;
}

/** Options of {@link Dataset.ignoreErrors}. */
export interface IgnoreErrorsOptions {
  /** Receives each ignored error. */
  readonly log?: ((error: unknown) => void) | undefined;
  /** Maximum number of ignored errors in a pass. The next error ends the pass. Default: unlimited. */
  readonly max?: number | undefined;
}

/** Options of {@link Dataset.rejectionResample}. */
export interface ResampleOptions {
  /** Target share of each class, indexed by class number. Only the proportions matter. */
  readonly target: readonly number[];
  /**
   * Share of each class in this dataset. Default: estimated from the elements read so far. The estimate becomes accurate after a
   * few hundred elements.
   */
  readonly initial?: readonly number[] | undefined;
  /** Integer of at least 0. Equal seeds drop the same elements. Default: a random seed, drawn when the dataset is created. */
  readonly seed?: number | undefined;
}

/** Options of {@link Dataset.reduce} and {@link Dataset.reduceMany}. */
export interface ReduceOptions {
  /** Cancels the pass: the promise rejects with `signal.reason`. */
  readonly signal?: AbortSignal | undefined;
}
