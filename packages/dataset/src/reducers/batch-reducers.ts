import type { DType, HostDense } from "@tfxio/tensor-adapter";
import { aListOf, anInteger, assertOptions, oneOf } from "@tfxio/wire/checks";
import { batchElements } from "../batchers/batch-elements.js";
import type { Batcher } from "../batchers/batcher.js";
import { denseBatcher } from "../batchers/dense-batcher.js";
import { anElementShape, type ElementShape } from "../batchers/element-shape.js";
import { paddedBatcher } from "../batchers/padded-batcher.js";
import { aPaddingValue, type PaddingValue } from "../batchers/padding-value.js";
import { raggedBatcher } from "../batchers/ragged-batcher.js";
import { sparseBatcher } from "../batchers/sparse-batcher.js";
import type { Batched } from "../columns/element-types.js";
import { disposeElements } from "../columns/structure.js";
import { Reducer, type ReductionContext } from "./reducer.js";

/** Options of {@link batchDense}. */
export interface BatchDenseOptions {
  /** Shape of one element, without the batch dimension. Required only for a batch without elements. */
  readonly shape?: readonly number[] | undefined;
  /** The dtype of an empty batch. Default `"float32"`. */
  readonly dtype?: DType | undefined;
}

/** Options of {@link paddedBatchDense}. */
export interface PaddedOptions {
  /**
   * Padded shape of one element. null or -1 means the largest size in the batch. The reduction throws `shape-mismatch`
   * (`data-loss`) for an element larger than a fixed size. Default: the largest size in every dimension.
   */
  readonly shape?: ElementShape | undefined;
  /** Padding value, which must fit the dtype of the elements. Default: 0, false or the empty string. */
  readonly value?: PaddingValue | undefined;
}

/** Options of {@link paddedBatchSparse}. */
export interface PaddedSparseOptions {
  /** Shape of one element: see {@link PaddedOptions.shape}. */
  readonly shape?: ElementShape | undefined;
}

/** Options of {@link ragged}. */
export interface RaggedOptions {
  /** Sizes of the trailing dimensions, which must be equal in all elements. Default `[]`: every dimension is ragged. */
  readonly innerShape?: readonly number[] | undefined;
}

/**
 * Creates a reducer that stacks all elements, like `Dataset.batch`.
 * @throws {ArgumentError} `invalid-argument` for invalid options. The reduction throws it with the reason `empty` if there are
 *   neither elements nor a `shape`.
 */
export function batchDense<T = unknown>(
  options: BatchDenseOptions = {},
): Reducer<T, readonly T[], Batched<T>> {
  assertOptions("batchDense", options, {
    shape: aListOf("a list of integers of at least 0", anInteger(0)),
    dtype: oneOf(...DTYPES),
  });
  const { shape, dtype = "float32" } = options;
  return collecting(denseBatcher({ shape, dtype })) as Reducer<T, readonly T[], Batched<T>>;
}

/**
 * Creates a reducer that pads all elements to one shape and stacks them. The result has shape `[n, ...shape]`.
 * @throws {ArgumentError} `invalid-argument` for invalid options.
 */
export function paddedBatchDense(
  options: PaddedOptions = {},
): Reducer<unknown, readonly unknown[], HostDense> {
  assertOptions("paddedBatchDense", options, { shape: anElementShape, value: aPaddingValue });
  const { shape, value } = options;
  return collecting(paddedBatcher({ shape, value })) as Reducer<unknown, readonly unknown[], HostDense>;
}

/**
 * Creates a reducer that combines all elements into one sparse value of dense shape `[n, ...sizes]`. Each of `sizes` is the
 * largest size of its dimension in the batch.
 */
export function batchSparse(): Reducer<unknown, readonly unknown[], unknown> {
  return collecting(sparseBatcher({ shape: undefined }));
}

/**
 * Creates a reducer that combines all elements into one sparse value of dense shape `[n, ...shape]`.
 * @throws {ArgumentError} `invalid-argument` for invalid options.
 */
export function paddedBatchSparse(
  options: PaddedSparseOptions,
): Reducer<unknown, readonly unknown[], unknown> {
  assertOptions("paddedBatchSparse", options, { shape: anElementShape });
  return collecting(sparseBatcher({ shape: options.shape }));
}

/**
 * Creates a reducer that combines all elements into one ragged value. Scalars are stacked, because they have no ragged dimension.
 * @throws {ArgumentError} `invalid-argument` for invalid options.
 */
export function ragged(options: RaggedOptions = {}): Reducer<unknown, readonly unknown[], unknown> {
  assertOptions("ragged", options, { innerShape: aListOf("a list of integers of at least 0", anInteger(0)) });
  return collecting(raggedBatcher({ innerShape: options.innerShape ?? [] }));
}

/** Every {@link DType}. */
const DTYPES: readonly DType[] = [
  ...(["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"] as const),
  ...(["float16", "float32", "float64", "bool", "string"] as const),
];

/** Creates a reducer that batches all elements at the end, because adding elements to a batch one by one takes quadratic time. */
function collecting(batcher: Batcher): Reducer<unknown, readonly unknown[], unknown> {
  const finalize = (elements: readonly unknown[], { operator }: ReductionContext): unknown => {
    const context = { operator, elementIndex: 0, path: "", tf: undefined };
    if (elements.length === 0) return batcher.empty(context);
    const batch = batchElements(elements, () => batcher, context);
    disposeElements(elements);
    return batch;
  };
  return new Reducer<unknown, readonly unknown[], unknown>(() => [], append as never, finalize);
}

/** Appends an element to the state in place, and returns the state. */
export function append<T>(elements: T[], element: T): T[] {
  elements.push(element);
  return elements;
}
