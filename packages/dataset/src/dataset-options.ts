import type { DatasetState } from "./checkpoint/dataset-state.js";
import type { ComponentSelection } from "./operators/elements/to-xy.js";

/** Options of {@link Dataset.batch}. */
export interface BatchOptions {
  /** Drop the last batch when it is smaller. Default false: no row is lost. */
  readonly dropRemainder?: boolean | undefined;
}

/** Options of {@link Dataset.recordBatches}. */
export interface RebatchOptions extends BatchOptions {
  /** Rows of every batch but the last. Default: batches as they come; shuffled rows in batches of up to 1024. */
  readonly batchSize?: number | undefined;
  /** State at which the pass resumes, from {@link DatasetIterator.state} of such batches. Default: the first row. */
  readonly state?: DatasetState | undefined;
  /** Aborting it ends the pass: the loop throws its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of {@link Dataset.shuffle}. */
export interface ShuffleOptions {
  /** Integer of at least 0. Default: drawn once, when the dataset is made. */
  readonly seed?: number | undefined;
  /** Another order in every pass, derived from the seed and the number of the pass. Default true. */
  readonly reshuffleEachIteration?: boolean | undefined;
}

/** Options of {@link Dataset.toXY}. */
export interface ToXYOptions<Ys extends ComponentSelection, Xs extends ComponentSelection | undefined> {
  /** Component or components that the model is to predict. */
  readonly ys: Ys;
  /** Component or components that it is given. Default: all but `ys`. */
  readonly xs?: Xs;
  /**
   * Leave labels of shape [n] as they are. Default false: they become [n, 1], which sparse categorical losses take too;
   * those refuse int32, so give them `withTensors({ int64: { ys: "float32" } })`.
   */
  readonly keepRank?: boolean | undefined;
}

/** Options of {@link Dataset.iterator}. */
export interface IterateOptions {
  /** State at which the pass resumes, from {@link DatasetIterator.state}. Default: the first element. */
  readonly state?: DatasetState | undefined;
  /** Aborting it ends the pass: `next()` rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
  /**
   * What an error of one element (a function that threw, a value that cannot be converted) does. Default `"end"`: the
   * pass ends and everything is freed, as after any other error, since `for await` and `fitDataset` never come back.
   * `"continue"`: the next `next()` returns the element after it; whoever asks for this closes the iterator.
   */
  readonly onElementError?: "end" | "continue" | undefined;
}

/** Options of {@link Dataset.map}. */
export interface MapOptions {
  /** Calls that may wait at once. As many elements are read ahead. Default 1. */
  readonly parallel?: number | undefined;
  /** Results in the order of elements; false yields each as soon as it is ready. Default true. */
  readonly ordered?: boolean | undefined;
}

/** Options of {@link Dataset.window}. */
export interface WindowOptions {
  /** Elements from the start of one window to that of the next; `"size"` for windows side by side. Default 1. */
  readonly shift?: number | "size" | undefined;
  /** Elements from one element of a window to its next. Default 1. */
  readonly stride?: number | undefined;
  /** Leave out windows that the input does not fill. Default true. */
  readonly dropRemainder?: boolean | undefined;
}

/**
 * The defaults of `tf.data` in TensorFlow: `window(3, TF_WINDOW)` gives windows side by side, the last one perhaps
 * smaller. Without it windows follow the RFC: each begins one element after the one before, and all are full.
 */
export const TF_WINDOW: Readonly<Required<WindowOptions>> = Object.freeze({
  shift: "size",
  stride: 1,
  dropRemainder: false,
});

/** Options of {@link Dataset.paddedBatch}. */
export interface PaddedBatchOptions extends BatchOptions {
  /**
   * Sizes that elements are padded to, in the structure of an element: a list of sizes for a leaf. null or -1 is the
   * largest of the batch; another size is a limit. Default: the largest of the batch in every dimension.
   */
  readonly shapes?: unknown;
  /** Values that fill what elements leave free, in the same structure, or one for all. Default 0, false or no text. */
  readonly values?: unknown;
}

/** Options of {@link Dataset.raggedBatch}. */
export interface RaggedBatchOptions extends BatchOptions {
  /** The last dimensions of every element, where all have the same sizes. Default none: every dimension is ragged. */
  readonly innerShape?: readonly number[] | undefined;
}

/** Options of {@link Dataset.interleave}. */
export interface CycleOptions {
  /** Datasets that are read side by side. Default 16. */
  readonly cycle?: number | undefined;
  /** Elements of one dataset before the next has its turn. Default 1. */
  readonly block?: number | undefined;
  /** Let all datasets of a cycle read ahead, one turn each. Default false. */
  readonly parallel?: boolean | undefined;
  /** With `parallel`: elements in the order of turns; false takes those that come first. Default true. */
  readonly ordered?: boolean | undefined;
}

/** Options of {@link Dataset.bucketBySequenceLength}. */
export interface BucketOptions<T> extends Pick<PaddedBatchOptions, "shapes" | "values"> {
  /** The length of an element. */
  readonly length: (element: T) => number;
  /** Ascending. An element goes to the first bucket whose boundary is above its length. */
  readonly boundaries: readonly number[];
  /** Elements of a batch, by bucket: one more than boundaries, for what is as long as the last boundary or longer. */
  readonly batchSizes: readonly number[];
  /** Pad to the boundary less one instead of to the longest of the batch; the last bucket then fails. Default false. */
  readonly padToBoundary?: boolean | undefined;
  /** Batch without padding: lengths within a batch must be equal. Default false. */
  readonly noPadding?: boolean | undefined;
  /** Leave out batches that are not full. Default false. */
  readonly dropRemainder?: boolean | undefined;
}

/** Options of {@link Dataset.ignoreErrors}. */
export interface IgnoreErrorsOptions {
  /** Called with each error that is ignored. */
  readonly log?: ((error: unknown) => void) | undefined;
  /** Errors to ignore; the next one ends the pass. Default: all. */
  readonly max?: number | undefined;
}

/** Options of {@link Dataset.rejectionResample}. */
export interface ResampleOptions {
  /** Share of each class that is wanted, by its number; in proportion to their sum. */
  readonly target: readonly number[];
  /** Share of each class in this dataset. Default: estimated from the elements so far, which takes some hundreds. */
  readonly initial?: readonly number[] | undefined;
  /** Integer of at least 0: equal seeds leave out the same elements. Default: drawn once, when the dataset is made. */
  readonly seed?: number | undefined;
}

/** Options of {@link Dataset.reduce}. */
export interface ReduceOptions {
  /** Aborting it ends the pass: the promise rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
}
