import type { HostColumn } from "@tfxio/tensor-adapter";
import { ArgumentError } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";
import { type Cardinality, sizeOf } from "./cardinality.js";
import { assertStateOf, type DatasetState, stateOf } from "./checkpoint/dataset-state.js";
import {
  aBoolean,
  aFunction,
  aListOf,
  aName,
  anAbortSignal,
  anInteger,
  aNumber,
  aPositiveInteger,
  assertArgument,
  assertOptions,
  oneOf,
  required,
  rule,
} from "@tfxio/wire/checks";
import { DatasetIterator } from "./dataset-iterator.js";
import type { Batched, Leaf, KeysOf, Selected, Unbatched, WithTensors } from "./columns/element-types.js";
import type { Tuple } from "./columns/structure.js";
import type {
  BatchOptions,
  BucketOptions,
  IgnoreErrorsOptions,
  CycleOptions,
  IterateOptions,
  MapOptions,
  PaddedBatchOptions,
  RaggedBatchOptions,
  RebatchOptions,
  ReduceOptions,
  ResampleOptions,
  ShuffleOptions,
  ToXYOptions,
  WindowOptions,
} from "./dataset-options.js";
import { anElementShape, type ElementShape } from "./batchers/element-shape.js";
import { paddedComponents } from "./batchers/padded-components.js";
import { raggedBatcher } from "./batchers/ragged-batcher.js";
import { sparseBatcher } from "./batchers/sparse-batcher.js";
import { batchByPlan } from "./operators/batching/batch-by.js";
import { batchWithPlan } from "./operators/batching/batch-with.js";
import { resizedBatchesPlan } from "./operators/batching/rebatch.js";
import { concatenatePlan } from "./operators/combining/concatenate.js";
import { flatMapPlan } from "./operators/combining/flat-map.js";
import { interleavePlan } from "./operators/combining/interleave.js";
import { parallelInterleavePlan } from "./operators/combining/parallel-interleave.js";
import { enumeratePlan } from "./operators/elements/enumerate.js";
import { ignoreErrorsPlan } from "./operators/elements/ignore-errors.js";
import { scanPlan } from "./operators/elements/scan.js";
import { takeWhilePlan } from "./operators/elements/take-while.js";
import { unbatchPlan } from "./operators/elements/unbatch.js";
import { uniquePlan } from "./operators/elements/unique.js";
import { cachePlan } from "./operators/order/cache.js";
import { cacheInFolderPlan, snapshotFolder } from "./operators/order/cache-in-folder.js";
import { rejectionResamplePlan } from "./operators/elements/rejection-resample.js";
import { type SaveSummary, savingPlan } from "./stored/save-elements.js";
import { shardPlan } from "./operators/order/shard.js";
import { bucketSettings } from "./operators/windows/bucket-settings.js";
import { type GroupKey, groupByWindowPlan } from "./operators/windows/group-by-window.js";
import { windowPlan } from "./operators/windows/window.js";
import { datasetsOfComponents } from "./operators/windows/window-components.js";
import { windowRowsPlan } from "./operators/windows/window-rows.js";
import { windowOptions, windowSettings } from "./operators/windows/window-settings.js";
import { aDictOfReducers, type Results, together } from "./reducers/reduce-many.js";
import { type AnyReducer, Reducer } from "./reducers/reducer.js";
import { runReduction } from "./reducers/run-reduction.js";
import { batchPlan } from "./operators/batching/batch.js";
import { filterPlan } from "./operators/elements/filter.js";
import { mapPlan } from "./operators/elements/map.js";
import { parallelMapPlan } from "./operators/elements/parallel-map.js";
import { prefetchPlan } from "./operators/order/prefetch.js";
import { rebatchPlan } from "./operators/batching/record-batches.js";
import { repeatPlan } from "./operators/order/repeat.js";
import { shufflePlan } from "./operators/order/shuffle.js";
import { skipPlan, takePlan } from "./operators/order/take-skip.js";
import { aComponentSelection, type ComponentSelection, toXYPlan } from "./operators/elements/to-xy.js";
import {
  type TensorOnlySettings,
  type TensorSettings,
  withTensorsPlan,
} from "./operators/elements/with-tensors.js";
import type { Plan } from "./plan.js";
import { keepPlan, planOf } from "./plan-of.js";
import { shuffleAllPlan } from "./random-access/shuffle-all.js";
import { Run } from "./run.js";

/** A source of elements: a dataset, or a synchronous or asynchronous iterable. */
export type DatasetLike<T> = Dataset<T> | Iterable<T> | AsyncIterable<T>;

/** A dataset, or a dict or tuple of dataset structures. */
export type DatasetStructure =
  | Dataset<unknown>
  | { readonly [key: string]: DatasetStructure }
  | Tuple<readonly unknown[]>;

/** Element type of a {@link DatasetStructure} that is read in step. */
export type Zipped<S> =
  S extends Dataset<infer T>
    ? T
    : S extends Tuple<infer Components>
      ? Tuple<{ readonly [Index in keyof Components]: Zipped<Components[Index]> }>
      : { readonly [Key in keyof S]: Zipped<S[Key]> };

/** Type of a window of `T`: the same structure, with a dataset in place of each leaf. */
export type Windowed<T> = unknown extends T
  ? unknown
  : T extends Tuple<infer Components>
    ? Tuple<{ readonly [Index in keyof Components]: Windowed<Components[Index]> }>
    : T extends Leaf
      ? Dataset<T>
      : T extends Dataset<unknown>
        ? Dataset<T>
        : { readonly [Key in keyof T]: Windowed<T[Key]> };

/** Options of {@link Dataset.groupByWindow}. */
export interface GroupByWindowOptions<T, U> {
  /** Number of elements in a full group: a positive integer, or a function of the key. */
  readonly windowSize: number | ((key: GroupKey) => number);
  /** Returns the elements that replace a group. Integer keys are bigints. */
  readonly reduce: (key: GroupKey, group: Dataset<T>) => DatasetLike<U>;
}

/** A number of elements or passes; -1 means all. */
const aCount = anInteger(-1);

const someShares = rule("a list of numbers of at least 0, not all 0", (value) => {
  return Array.isArray(value) && value.every(aNumber(0).holds) && value.some((share) => share > 0);
});
const aDataset = rule("a Dataset", (value) => planOf(value) !== undefined);
const aWindowSize = rule("an integer, or a function of the key", (value) => {
  return typeof value === "function" || Number.isInteger(value);
});
const aBatchSize = anInteger(0);
const someBatchSizes = rule(
  "an integer of at least 0, or a non-empty list of them, not all 0",
  (value) => Array.isArray(value) && value.every(aBatchSize.holds) && value.some((size) => size > 0),
);

/**
 * A lazy sequence of elements. Immutable and re-readable. Created by `fromItems`, `fromBlocks`, `fromRecordBatches` or
 * `fromRandomAccess`. Accepted by `model.fitDataset` and `evaluateDataset`; see {@link toXY} and {@link withTensors}.
 * Methods only check their arguments; work begins with the first `next()`.
 */
export class Dataset<T> implements AsyncIterable<T> {
  readonly #plan: Plan;
  readonly #runs: Set<Run> = new Set();
  /** State that the next pass resumes from. */
  #from: DatasetState | undefined;
  /** The most recent pass, while it is open. */
  #latest: Run | undefined;

  /** For operators. Use `fromItems`, `fromBlocks` or `fromRecordBatches` instead. */
  constructor(plan: Plan) {
    this.#plan = plan;
    keepPlan(this, plan);
  }

  /** Number of elements of one pass: exact, `"infinite"`, or `"unknown"`. */
  cardinality(): Cardinality {
    return this.#plan.cardinality();
  }

  /**
   * The cardinality in the form that TensorFlow.js expects: `Infinity` for an infinite dataset, null if unknown. The type
   * omits null because tfjs does too, and `fitDataset` would not accept a `Dataset` otherwise.
   */
  get size(): number {
    return sizeOf(this.#plan.cardinality()) as number;
  }

  /**
   * Stacks `count` elements into one with a leading dimension. Host values become host columns: numbers float32, bigints
   * int64, booleans bool. Tensors become a tensor. Rows from `fromBlocks` are joined column by column, including ragged
   * columns. After an operator such as {@link map}, ragged rows are vectors and need equal lengths.
   * @param options a bare boolean means `smallLastBatch`, as in tfjs.
   * @throws {ArgumentError} `invalid-argument` when `count` is not a positive integer. From the iterator, with reason
   *   `unequal-elements`, when elements differ in structure, shape or dtype.
   */
  batch(count: number, options: BatchOptions | boolean = {}): Dataset<Batched<T>> {
    assertArgument("count", count, aPositiveInteger, "batch");
    const asked = typeof options === "boolean" ? { dropRemainder: !options } : options;
    assertOptions("batch", asked, { dropRemainder: aBoolean });
    const { dropRemainder = false } = asked;
    return new Dataset(batchPlan(this.#plan, count, dropRemainder));
  }

  /**
   * Returns elements in random order, drawn uniformly from a buffer of `bufferSize` elements that is refilled in order.
   * `"all"` shuffles all rows without a buffer, and a checkpoint resumes without rereading. It needs a source with random
   * access directly before it: `fromItems`, `fromRandomAccess`, or an `ArrowDataset` of a table or list.
   * The order depends only on seed, buffer size and pass number (xoshiro128**, stable across releases).
   * @throws {ArgumentError} `invalid-argument`; with reason `no-random-access` for `"all"` over a sequential source.
   */
  shuffle(bufferSize: number | "all", options: ShuffleOptions = {}): Dataset<T> {
    if (bufferSize !== "all") assertArgument("bufferSize", bufferSize, aPositiveInteger, "shuffle");
    assertOptions("shuffle", options, { seed: anInteger(0), reshuffleEachIteration: aBoolean });
    const { seed, reshuffleEachIteration = true } = options;
    if (bufferSize === "all")
      return new Dataset(shuffleAllPlan(this.#plan, { seed, reshuffleEachIteration }));
    return new Dataset(shufflePlan(this.#plan, { bufferSize, seed, reshuffleEachIteration }));
  }

  /**
   * Repeats the dataset `count` times; -1 (default) repeats forever. An empty pass ends an infinite repeat.
   * @throws {ArgumentError} `invalid-argument`
   */
  repeat(count: number = -1): Dataset<T> {
    assertArgument("count", count, aCount, "repeat");
    return new Dataset(repeatPlan(this.#plan, count));
  }

  /**
   * The first `count` elements; -1 for all. After a {@link shuffle} that reshuffles, as in the default dataset of a TFXIO,
   * each pass takes different elements. To hold out rows for validation, use the TFXIO's `split`.
   * @throws {ArgumentError} `invalid-argument`
   */
  take(count: number): Dataset<T> {
    assertArgument("count", count, aCount, "take");
    return new Dataset(takePlan(this.#plan, count));
  }

  /**
   * All elements except the first `count`; -1 skips all.
   * @throws {ArgumentError} `invalid-argument`; with reason `reshuffled` when each pass has a different order, because the
   *   elements that {@link take} returned could reappear. Use the TFXIO's `split`, or `reshuffleEachIteration: false`.
   */
  skip(count: number): Dataset<T> {
    assertArgument("count", count, aCount, "skip");
    if (this.#plan.reshuffles && count !== 0) {
      throw new ArgumentError(
        "invalid-argument",
        "skip: each pass of this dataset has a different order, so skip would not exclude the elements that take returned. To hold out " +
          "rows, use split of the TFXIO; to skip rows of a fixed order, shuffle with { reshuffleEachIteration: false }.",
        { reason: "reshuffled" },
      );
    }
    return new Dataset(skipPlan(this.#plan, count));
  }

  /**
   * Replaces every element with the value that `f` returns or resolves to. Calls run one at a time. With `parallel: n`, up to n
   * asynchronous calls run concurrently. Results keep the element order unless `ordered` is false. Input tensors that are
   * not in the output are disposed. After {@link withTensors}, so are tensors that a synchronous `f` creates and does not
   * return.
   * @throws {UserFunctionError} `user-function` from the iterator, in the element's place, when `f` throws.
   */
  map<U>(f: (element: T) => U | Promise<U>, options: MapOptions = {}): Dataset<U> {
    assertArgument("f", f, aFunction, "map");
    assertOptions("map", options, { parallel: aPositiveInteger, ordered: aBoolean });
    const { parallel = 1, ordered = true } = options;
    if (parallel === 1) return new Dataset(mapPlan(this.#plan, f));
    return new Dataset(parallelMapPlan(this.#plan, f, { parallel, isOrdered: ordered }));
  }

  /**
   * The elements for which `predicate` returns or resolves to true. Tensors of dropped elements are disposed.
   * @throws {UserFunctionError} `user-function` from the iterator, in the element's place, when it throws.
   */
  filter(predicate: (element: T) => boolean | Promise<boolean>): Dataset<T> {
    assertArgument("predicate", predicate, aFunction, "filter");
    return new Dataset(filterPlan(this.#plan, predicate));
  }

  /**
   * Reads ahead after the first `next()`: up to `count` elements, or before a batch up to `count` blocks of rows.
   * @throws {ArgumentError} `invalid-argument`
   */
  prefetch(count: number): Dataset<T> {
    assertArgument("count", count, aPositiveInteger, "prefetch");
    return new Dataset(prefetchPlan(this.#plan, count));
  }

  /**
   * Windows of `size` consecutive elements. Each window is a dataset, or for elements with components a dict or tuple of
   * datasets, one per component. Windows can be read repeatedly; over columns or record batches they are views. A window is
   * never empty. Elements between windows are skipped, including failed ones. A window that holds a failed element fails.
   * Reads no further than the end of the requested window. By default windows follow the RFC: each starts one element after
   * the previous one, and all are full. Pass {@link TF_WINDOW} for TensorFlow's defaults. Component datasets over record
   * batches convert whole batches.
   * @throws {ArgumentError} `invalid-argument` for numbers that are not positive integers, and a span beyond 2^53 - 1.
   * @see RFC on windowing; tf.data.Dataset.window
   */
  window(size: number, options?: WindowOptions): Dataset<Windowed<T>>;
  window(
    size: number,
    shift?: number | "size",
    stride?: number,
    dropRemainder?: boolean,
  ): Dataset<Windowed<T>>;
  window(
    size: number,
    shift: WindowOptions | number | "size" = {},
    stride?: number,
    dropRemainder?: boolean,
  ): Dataset<Windowed<T>> {
    const settings = windowSettings("window", size, windowOptions(shift, stride, dropRemainder));
    return new Dataset(
      windowPlan(this.#plan, settings, {
        keepsRecordBatches: false,
        toElement: (parts, upstream) =>
          datasetsOfComponents(parts, (rows) => new Dataset(windowRowsPlan(rows, upstream))),
      }),
    );
  }

  /**
   * Like {@link window}, but each window is one dataset of whole elements. Windows over record batches stay in Arrow form:
   * {@link recordBatches} of a window returns slices.
   * @throws {ArgumentError} as {@link window}.
   */
  windowRows(size: number, options: WindowOptions = {}): Dataset<Dataset<T>> {
    const settings = windowSettings("windowRows", size, options);
    return new Dataset(
      windowPlan(this.#plan, settings, {
        keepsRecordBatches: this.#plan.moved?.arrowSchema !== undefined,
        toElement: (parts, upstream) => new Dataset(windowRowsPlan(parts, upstream)),
      }),
    );
  }

  /**
   * Calls `f` on every element and concatenates the elements of its results. A result is a dataset, a dict or tuple of
   * datasets (read in step, as by `zip`), or an iterable. Tensors of the element and of the result live until the result has
   * been read.
   * @throws {UserFunctionError} `user-function` from the iterator, in the element's place, when `f` throws.
   * @throws {ArgumentError} `invalid-argument` (`not-a-dataset`), likewise, when `f` returns anything else.
   */
  flatMap<U>(f: (element: T) => DatasetLike<U> | Promise<DatasetLike<U>>): Dataset<U>;
  flatMap<const S extends DatasetStructure>(f: (element: T) => S | Promise<S>): Dataset<Zipped<S>>;
  flatMap(f: (element: T) => unknown): Dataset<unknown> {
    assertArgument("f", f, aFunction, "flatMap");
    return new Dataset(flatMapPlan(this.#plan, f));
  }

  /**
   * Like {@link flatMap}, but reads the datasets of `cycle` elements in turn, `block` elements each. When a dataset ends, the
   * dataset of the next element takes its place in the cycle. With `parallel`, all of them read ahead, by one turn each.
   * @throws {ArgumentError} `invalid-argument`; errors of `f` as {@link flatMap}.
   */
  interleave<U>(
    f: (element: T) => DatasetLike<U> | Promise<DatasetLike<U>>,
    options: CycleOptions = {},
  ): Dataset<U> {
    assertArgument("f", f, aFunction, "interleave");
    assertOptions("interleave", options, {
      cycle: aPositiveInteger,
      block: aPositiveInteger,
      parallel: aBoolean,
      ordered: aBoolean,
    });
    const { cycle = 16, block = 1, parallel = false, ordered = true } = options;
    if (parallel) {
      return new Dataset(parallelInterleavePlan(this.#plan, f, { cycle, block, isOrdered: ordered }));
    }
    return new Dataset(interleavePlan(this.#plan, f, { cycle, block }));
  }

  /** All elements, then all of `other`. @throws {ArgumentError} `invalid-argument` */
  concatenate<U>(other: Dataset<U>): Dataset<T | U> {
    assertArgument("other", other, aDataset, "concatenate");
    return new Dataset(concatenatePlan(this.#plan, planOf(other) as Plan));
  }

  /**
   * Pairs every element with its position: `tuple(position, element)`, counted from `start`. Positions are bigints, which
   * batch to int64.
   * @throws {ArgumentError} `invalid-argument`
   */
  enumerate(start = 0): Dataset<Tuple<readonly [bigint, T]>> {
    assertArgument("start", start, anInteger(Number.MIN_SAFE_INTEGER), "enumerate");
    return new Dataset(enumeratePlan(this.#plan, start));
  }

  /**
   * The elements before the first one for which `predicate` does not return or resolve to true.
   * @throws {UserFunctionError} `user-function` from the iterator, in the element's place, when it throws.
   */
  takeWhile(predicate: (element: T) => boolean | Promise<boolean>): Dataset<T> {
    assertArgument("predicate", predicate, aFunction, "takeWhile");
    return new Dataset(takeWhilePlan(this.#plan, predicate));
  }

  /**
   * Maps every element through a function with a running state. `f` returns or resolves to `[nextState, output]`. Each
   * pass begins with `initialState`. A failed element leaves the state unchanged.
   * @throws {UserFunctionError} `user-function` from the iterator, in the element's place, when `f` throws.
   */
  scan<S, U>(
    initialState: S,
    f: (state: S, element: T) => readonly [S, U] | Promise<readonly [S, U]>,
  ): Dataset<U> {
    assertArgument("f", f, aFunction, "scan");
    return new Dataset(scanPlan(this.#plan, initialState, f));
  }

  /**
   * Every `numShards`-th element, starting at position `index`. Shards in several processes together hold each element
   * once, provided that the dataset has the same order in all of them.
   * @throws {ArgumentError} `invalid-argument`, also when `index` is not below `numShards`.
   */
  shard(numShards: number, index: number): Dataset<T> {
    assertArgument("numShards", numShards, aPositiveInteger, "shard");
    assertArgument("index", index, anInteger(0, numShards - 1), "shard");
    return new Dataset(shardPlan(this.#plan, numShards, index));
  }

  /**
   * Drops elements that equal an earlier one by value. Holds a key of every distinct element in memory for the whole pass.
   * NaN equals NaN, and 0 equals -0.
   * @throws {ArgumentError} `invalid-argument` from the iterator for tensors and datasets, which cannot be compared.
   */
  unique(): Dataset<T> {
    return new Dataset(uniquePlan(this.#plan));
  }

  /**
   * Drops failed elements: those whose function threw, or whose value cannot be converted. Other errors, such as read
   * errors of a source, still end the pass.
   * @throws {ArgumentError} `invalid-argument`
   */
  ignoreErrors(options: IgnoreErrorsOptions = {}): Dataset<T> {
    assertOptions("ignoreErrors", options, { log: aFunction, max: anInteger(0) });
    const { log, max = Number.POSITIVE_INFINITY } = options;
    return new Dataset(ignoreErrorsPlan(this.#plan, { log, max }));
  }

  /**
   * Stores the elements of the first complete pass, in memory or in `folder` (Node only). Later passes read the stored
   * elements; with a folder, so do later processes. Until then, passes read the source. A pass that is abandoned, or in
   * which an element fails, leaves no files. With a folder, elements are rows of host columns even in the first pass, which
   * reads up to 256 elements ahead. Numbers become float32, bigints int64, and text its UTF-8 bytes.
   * @throws {ArgumentError} `invalid-argument` when elements hold tensors, at the call or from the iterator. From the
   *   iterator, with reason `other-plan`, when another dataset filled the folder.
   * @throws {RecordError} `corrupt-record` (`manifest`) from the iterator for a damaged folder. Also throws errors of its
   *   Arrow file.
   */
  cache(folder?: string): Dataset<T> {
    this.#assertOnHost("cache");
    if (folder === undefined) return new Dataset(cachePlan(this.#plan));
    assertArgument("folder", folder, aName, "cache");
    return new Dataset(cacheInFolderPlan(this.#plan, folder));
  }

  /**
   * Like {@link cache} with a folder, but each dataset gets its own subfolder of `folder`. A dataset with other operators,
   * settings or files gets another subfolder. Functions are not compared, so delete the folder when they change.
   * @throws as {@link cache}.
   */
  snapshot(folder: string): Dataset<T> {
    assertArgument("folder", folder, aName, "snapshot");
    this.#assertOnHost("snapshot");
    return new Dataset(cacheInFolderPlan(this.#plan, snapshotFolder(folder, this.#plan)));
  }

  /**
   * Writes all elements to a folder as an Arrow file and a manifest (Node only). Creates the folder if it does not exist. The
   * manifest is written last, so a killed process leaves no dataset. {@link fromSaved} reads the folder.
   * @throws {ArgumentError} `invalid-argument`; with reason `stored` for a folder that already holds elements.
   * @throws {ConversionError} `not-convertible` for tensors, null and datasets; `shape-mismatch` for elements that differ in
   *   more than the sizes of their dimensions. Also throws errors of elements and of the file system.
   */
  async save(folder: string, options: Pick<IterateOptions, "signal"> = {}): Promise<SaveSummary> {
    assertArgument("folder", folder, aName, "save");
    assertOptions("save", options, { signal: anAbortSignal });
    if (this.#plan.cardinality() === "infinite") {
      throw new ArgumentError("invalid-argument", "save: the dataset is infinite; limit it with take(n)");
    }
    const [summary] = await this.#iterate<SaveSummary>(savingPlan(this.#plan, folder), options).toArray();
    return summary as SaveSummary;
  }

  /**
   * Drops elements at random, so that the classes of the remaining ones have the shares in `target`. `classOf` returns the
   * number of an element's class, or a promise of it. Each pass draws again.
   * @throws {ArgumentError} `invalid-argument`; from the iterator, in the element's place, for a class without a share.
   * @throws {UserFunctionError} `user-function` from the iterator, in the element's place, when `classOf` throws.
   */
  rejectionResample(
    classOf: (element: T) => number | bigint | Promise<number | bigint>,
    options: ResampleOptions,
  ): Dataset<T> {
    assertArgument("classOf", classOf, aFunction, "rejectionResample");
    assertOptions("rejectionResample", options, {
      target: required(someShares),
      initial: someShares,
      seed: anInteger(0),
    });
    const { target, initial, seed } = options;
    if (initial !== undefined && initial.length !== target.length) {
      throw new ArgumentError(
        "invalid-argument",
        `rejectionResample: initial has ${initial.length} shares, expected ${target.length} as in target`,
        { argument: "initial" },
      );
    }
    return new Dataset(rejectionResamplePlan(this.#plan, classOf, { target, initial, seed }));
  }

  /**
   * Replaces every batch with its rows: slices along the first dimension, which all its components share.
   * @throws {ArgumentError} `invalid-argument` (`unequal-elements`) from the iterator for components of unequal length and
   *   for scalars.
   */
  unbatch(): Dataset<Unbatched<T>> {
    return new Dataset(unbatchPlan(this.#plan));
  }

  /**
   * Regroups batches into batches of other sizes: one size, or several sizes in turn. Size 0 makes an empty batch.
   * @throws {ArgumentError} `invalid-argument`; from the iterator as {@link unbatch} and {@link batch}.
   */
  rebatch(sizes: number | readonly number[], options: BatchOptions = {}): Dataset<T> {
    const list = typeof sizes === "number" ? [sizes] : sizes;
    assertArgument("sizes", list, someBatchSizes, "rebatch");
    assertOptions("rebatch", options, { dropRemainder: aBoolean });
    return new Dataset(resizedBatchesPlan(this.#plan, list, options.dropRemainder ?? false));
  }

  /**
   * Like {@link batch}, but elements may differ in size: they are padded at the end of each dimension.
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
    return new Dataset(batchWithPlan(this.#plan, settings));
  }

  /**
   * Like {@link batch}, but elements may differ in size: each of their dimensions becomes ragged. Scalars are stacked.
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
    return new Dataset(batchWithPlan(this.#plan, settings));
  }

  /**
   * Batches dense or sparse elements into one sparse value of dense shape `[n, ...rowShape]`. In `rowShape`, null or -1
   * stands for the largest size in the batch.
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
    return new Dataset(batchWithPlan(this.#plan, settings));
  }

  /**
   * Like {@link batch}, but combines the listed components, by name or index, with a reducer such as `paddedBatchDense` or
   * `ragged`. The other components are stacked.
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
    return new Dataset(batchByPlan(this.#plan, { size: count, dropRemainder, reducers: byName }));
  }

  /**
   * Groups elements by key. The elements that `reduce` returns replace each full group. At the end of the input, the
   * remaining groups follow in ascending key order, with text keys last. Memory use is bounded by the open groups.
   * @throws {ArgumentError} `invalid-argument`; from the iterator for a key that is neither an integer nor text, and at the
   *   first element of a key whose window size is not positive.
   */
  groupByWindow<U>(
    keyOf: (element: T) => GroupKey | Promise<GroupKey>,
    options: GroupByWindowOptions<T, U>,
  ): Dataset<U> {
    assertArgument("keyOf", keyOf, aFunction, "groupByWindow");
    assertOptions("groupByWindow", options, {
      windowSize: required(aWindowSize),
      reduce: required(aFunction),
    });
    const { windowSize, reduce } = options;
    return new Dataset(
      groupByWindowPlan(this.#plan, {
        operator: "groupByWindow",
        keyOf,
        sizeOf: typeof windowSize === "function" ? windowSize : () => windowSize,
        reduce: (key, group) => reduce(key, group as Dataset<T>),
        toDataset: (plan) => new Dataset(plan),
      }),
    );
  }

  /**
   * Batches elements of similar length, with padding.
   * @throws {ArgumentError} `invalid-argument`; from the iterator, with `padToBoundary`, for elements of the last bucket,
   *   which has no boundary; errors of {@link paddedBatch}.
   */
  bucketBySequenceLength(options: BucketOptions<T>): Dataset<Batched<T>> {
    const { reduce, ...settings } = bucketSettings(options);
    return new Dataset(
      groupByWindowPlan(this.#plan, {
        ...settings,
        operator: "bucketBySequenceLength",
        reduce: (key, group) => new Dataset(reduce(Number(key), planOf(group) as Plan)),
        toDataset: (plan) => new Dataset(plan),
      }),
    );
  }

  /**
   * Reduces all elements to one value, in one pass.
   * @throws {ArgumentError} `invalid-argument` for an infinite dataset.
   * @throws {UserFunctionError} `user-function` with the element's index when a function throws; the state is disposed.
   */
  reduce<S, R>(reducer: Reducer<T, S, R>, options?: ReduceOptions): Promise<R>;
  reduce<S>(
    initialState: S,
    f: (state: S, element: T) => S | Promise<S>,
    options?: ReduceOptions,
  ): Promise<S>;
  async reduce(first: unknown, second?: unknown, third?: ReduceOptions): Promise<unknown> {
    if (first instanceof Reducer) return this.#reduce(first, second as ReduceOptions | undefined);
    assertArgument("f", second, aFunction, "reduce");
    return this.#reduce(
      new Reducer(() => first, second as (state: unknown, element: never) => unknown),
      third,
    );
  }

  /**
   * The results of several reducers, by name, in one pass.
   * @throws as {@link reduce}.
   */
  async reduceMany<const Each extends Readonly<Record<string, AnyReducer>>>(
    reducers: Each,
    options?: ReduceOptions,
  ): Promise<Results<Each>> {
    assertArgument("reducers", reducers, aDictOfReducers, "reduceMany");
    return (await this.#reduce(together(reducers), options)) as Results<Each>;
  }

  /**
   * Arranges batches as `{ xs, ys }` for `fitDataset`. Select components by name (dict) or index (tuple). A list of names
   * gives a dict, a list of indices a tuple. Other components are dropped and their tensors disposed. Call it on batches,
   * before {@link withTensors}, so that dropped components never become tensors.
   * @throws {ArgumentError} `invalid-argument` when `ys` or `xs` selects nothing; from the iterator when a component is
   *   missing.
   */
  toXY<const Ys extends ComponentSelection, const Xs extends ComponentSelection | undefined = undefined>(
    options: ToXYOptions<Ys, Xs>,
  ): Dataset<{
    readonly xs: Xs extends undefined ? Omit<T, KeysOf<Ys> & PropertyKey> : Selected<T, Xs>;
    readonly ys: Selected<T, Ys>;
  }> {
    assertOptions("toXY", options, {
      ys: required(aComponentSelection),
      xs: aComponentSelection,
      keepRank: aBoolean,
    });
    const { xs, ys, keepRank = false } = options;
    return new Dataset(toXYPlan(this.#plan, { xs, ys, keepRank }));
  }

  /**
   * Converts host values to tensors of `tf`, one per component. This is the last step before a model. The receiver of an
   * element disposes its tensors, as `fitDataset` does. The `int64` and `float64` policies apply to all components or by
   * path (`"ys"`, `"xs.age"`). The defaults, `"int32"` and `"float32"`, reject values that do not fit exactly.
   * @throws {ArgumentError} `invalid-argument` if `tf` is not TensorFlow.js, and for unknown policies.
   * @throws {ConversionError} `out-of-range` from the iterator, in the element's place, naming the component.
   */
  withTensors(options: TensorOnlySettings): Dataset<WithTensors<T>>;
  /** Components with the policy `"host"` stay host columns. */
  withTensors(options: TensorSettings): Dataset<WithTensors<T, HostColumn>>;
  withTensors(options: TensorSettings): Dataset<WithTensors<T, HostColumn>> {
    return new Dataset(withTensorsPlan(this.#plan, options));
  }

  /**
   * The rows as record batches. Works after `fromRecordBatches`, also through {@link shuffle}, {@link take}, {@link skip},
   * {@link repeat} and {@link prefetch}, because these only move rows. A batch whose rows lie in one source batch shares its
   * buffers. Leaving the loop, `close()`, the signal and every error free everything, as with any iterator.
   * @throws {ArgumentError} `invalid-argument`; with reason `not-record-batches` for other datasets.
   */
  recordBatches(options: RebatchOptions = {}): DatasetIterator<RecordBatch> {
    assertOptions("recordBatches", options, {
      batchSize: aPositiveInteger,
      dropRemainder: aBoolean,
      state: null,
      signal: anAbortSignal,
    });
    const { batchSize, dropRemainder = false, state, signal } = options;
    if (this.#plan.moved?.arrowSchema === undefined) {
      throw new ArgumentError(
        "invalid-argument",
        "recordBatches: the rows of this dataset are not in record batches; call it directly after fromRecordBatches, " +
          "before batch and map",
        { reason: "not-record-batches" },
      );
    }
    return this.#iterate<RecordBatch>(rebatchPlan(this.#plan, batchSize, dropRemainder), { state, signal });
  }

  /**
   * Begins a pass. Returns a promise because tfjs expects one. Has no effect before the first `next()`.
   * @throws {ArgumentError} `invalid-argument`; with reason `state` for a value that is not a state, and `other-plan` for a
   *   state of another dataset. From the iterator, with reason `other-data`, if the data ends before the state's position.
   */
  async iterator(options: IterateOptions = {}): Promise<DatasetIterator<T>> {
    assertOptions("iterator", options, {
      state: null,
      signal: anAbortSignal,
      onElementError: oneOf("end", "continue"),
    });
    return this.#iterate(this.#plan, options);
  }

  [Symbol.asyncIterator](): DatasetIterator<T> {
    return this.#iterate(this.#plan, {});
  }

  /**
   * The {@link DatasetIterator.state} of the most recent pass. Between two passes, the start of the next one. Use it with
   * `fitDataset`, which does not expose its iterator: call it in `onBatchEnd`, and later train on `resume(state)`.
   * @throws {UnsupportedError} `unsupported` (`not-repeatable`), naming the operator.
   */
  state(): DatasetState {
    return this.#latest?.state() ?? this.#from ?? stateOf(this.#plan, undefined, 0);
  }

  /**
   * The same dataset, but its first pass resumes at `state`. Later passes are complete.
   * @throws {ArgumentError} as {@link iterator}.
   */
  resume(state: DatasetState): Dataset<T> {
    assertStateOf(this.#plan, state, "resume");
    const resumed = new Dataset<T>(this.#plan);
    resumed.#from = state;
    return resumed;
  }

  /** All elements of one pass, in memory. @throws {ArgumentError} `invalid-argument` for an infinite dataset. */
  async toArray(options: Pick<IterateOptions, "signal"> = {}): Promise<T[]> {
    assertOptions("toArray", options, { signal: anAbortSignal });
    if (this.#plan.cardinality() === "infinite") {
      throw new ArgumentError("invalid-argument", "toArray: the dataset is infinite; limit it with take(n)");
    }
    return this.#iterate<T>(this.#plan, options).toArray();
  }

  /** Closes every iterator of this dataset that is still open. The dataset can be read again. */
  async close(): Promise<void> {
    await Promise.all([...this.#runs].map((run) => run.close()));
  }

  #assertOnHost(operator: string): void {
    if (this.#plan.tf === undefined) return;
    throw new ArgumentError(
      "invalid-argument",
      `${operator}: elements hold tensors; call ${operator} before withTensors`,
    );
  }

  #reduce(reducer: AnyReducer, options: ReduceOptions = {}): Promise<unknown> {
    assertOptions("reduce", options, { signal: anAbortSignal });
    return runReduction(this.#plan, reducer, "reduce", options.signal);
  }

  #iterate<Element>(
    plan: Plan,
    { state, signal, onElementError = "end" }: IterateOptions,
  ): DatasetIterator<Element> {
    if (state !== undefined) assertStateOf(plan, state, "iterator");
    const onClose = (closed: Run): void => {
      this.#runs.delete(closed);
      if (this.#latest === closed) this.#latest = undefined;
    };
    return new DatasetIterator<Element>({
      stateAtStart: () => state ?? (plan === this.#plan ? this.state() : stateOf(plan, undefined, 0)),
      start: () => {
        const isOwn = plan === this.#plan;
        const from = state ?? (isOwn ? this.#from : undefined);
        const run = new Run(plan, { signal, onElementError, from, onClose });
        this.#runs.add(run);
        if (isOwn) {
          this.#from = undefined;
          this.#latest = run;
        }
        return run;
      },
    });
  }
}
