import type { HostColumn } from "@tfxio/tensor-adapter";
import { ArgumentError } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";
import { assertFinite, type Cardinality, sizeOf } from "./cardinality.js";
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
  invalidArgument,
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

/** Type of the elements that `zip` produces: the structure of `S`, with an element in place of each dataset. */
export type Zipped<S> =
  S extends Dataset<infer T>
    ? T
    : S extends Tuple<infer Components>
      ? Tuple<{ readonly [Index in keyof Components]: Zipped<Components[Index]> }>
      : { readonly [Key in keyof S]: Zipped<S[Key]> };

/** Type of a window of `T`: the structure of `T`, with a dataset in place of each leaf. */
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
  /** Returns the elements that replace a group. Receives integer keys as bigints. */
  readonly reduce: (key: GroupKey, group: Dataset<T>) => DatasetLike<U>;
}

/** Accepts a count, of elements or of passes, or -1 for no limit. */
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
  "a positive integer, or a non-empty list of integers of at least 0, not all 0",
  (value) => Array.isArray(value) && value.every(aBatchSize.holds) && value.some((size) => size > 0),
);

/**
 * A lazy, immutable sequence of elements that can be read any number of times. Functions such as `fromItems` and
 * `fromRecordBatches` create datasets. `model.fitDataset` and `evaluateDataset` accept them: see {@link toXY} and
 * {@link withTensors}. Methods check their arguments immediately. Reading starts with the first `next()`.
 */
export class Dataset<T> implements AsyncIterable<T> {
  readonly #plan: Plan;
  readonly #runs: Set<Run> = new Set();
  /** The state at which the next pass resumes. */
  #from: DatasetState | undefined;
  /**
   * The pass that started last. Undefined once it is closed. Passes of `recordBatches`, `save`, `reduce` and `reduceMany` do not
   * count.
   */
  #latest: Run | undefined;

  /** For operators. To create a dataset, use a function such as `fromItems`. */
  constructor(plan: Plan) {
    this.#plan = plan;
    keepPlan(this, plan);
  }

  /** Returns the number of elements in one pass: an exact count, `"infinite"`, or `"unknown"`. */
  cardinality(): Cardinality {
    return this.#plan.cardinality();
  }

  /**
   * The cardinality in the form that TensorFlow.js expects: `Infinity` for an infinite dataset, and null for an unknown
   * cardinality. The type omits null, as in TensorFlow.js, because `fitDataset` would otherwise not accept a `Dataset`.
   */
  get size(): number {
    return sizeOf(this.#plan.cardinality()) as number;
  }

  /**
   * Stacks every `count` consecutive elements into one element with a leading dimension. Host values become host columns. Numbers
   * become float32, bigints become int64, booleans become bool, and text becomes its UTF-8 bytes. Tensors become one tensor. Rows
   * from `fromBlocks` are joined column by column, including ragged columns. After an operator such as {@link map}, each row of a
   * column of ragged rank 1 is a dense vector, so these vectors must have equal lengths.
   * @param options A boolean means `smallLastBatch`, as in tfjs: true keeps a last batch that is not full.
   * @throws {ArgumentError} `invalid-argument` if `count` is not a positive integer. The iterator throws it with the reason
   *   `unequal-elements` if elements differ in structure, shape or dtype.
   */
  batch(count: number, options: BatchOptions | boolean = {}): Dataset<Batched<T>> {
    assertArgument("count", count, aPositiveInteger, "batch");
    const asked = typeof options === "boolean" ? { dropRemainder: !options } : options;
    assertOptions("batch", asked, { dropRemainder: aBoolean });
    const { dropRemainder = false } = asked;
    return new Dataset(batchPlan(this.#plan, count, dropRemainder));
  }

  /**
   * Puts the elements in random order. Each element is drawn uniformly from a buffer of `bufferSize` elements, which is refilled
   * in the order of the source. `"all"` shuffles all rows without a buffer, and lets a pass resume from a checkpoint without
   * reading rows again. `"all"` must directly follow a source with random access: `fromItems`, `fromRandomAccess`, or an
   * `ArrowDataset` of a table or array. The order depends only on the seed, the buffer size and the pass number. It is the same
   * in all releases, because the random generator is always `xoshiro128**`.
   * @throws {ArgumentError} `invalid-argument` for invalid arguments. The reason is `no-random-access` if `"all"` does not
   *   directly follow such a source.
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
   * Repeats the dataset `count` times. -1 (default) repeats it forever, or until a pass has no elements.
   * @throws {ArgumentError} `invalid-argument` unless `count` is an integer of at least -1.
   */
  repeat(count: number = -1): Dataset<T> {
    assertArgument("count", count, aCount, "repeat");
    return new Dataset(repeatPlan(this.#plan, count));
  }

  /**
   * Takes the first `count` elements, or all for -1. After a {@link shuffle} that reshuffles, as in the default dataset of a
   * TFXIO, each pass takes different elements. To hold out rows for validation, use the TFXIO's `split`.
   * @throws {ArgumentError} `invalid-argument` unless `count` is an integer of at least -1.
   */
  take(count: number): Dataset<T> {
    assertArgument("count", count, aCount, "take");
    return new Dataset(takePlan(this.#plan, count));
  }

  /**
   * Skips the first `count` elements, or all for -1.
   * @throws {ArgumentError} `invalid-argument` unless `count` is an integer of at least -1. The reason is `reshuffled` if each
   *   pass has a different order and `count` is not 0, because elements that {@link take} returned could then appear again. Use
   *   the TFXIO's `split`, or `reshuffleEachIteration: false`.
   */
  skip(count: number): Dataset<T> {
    assertArgument("count", count, aCount, "skip");
    if (this.#plan.reshuffles && count !== 0) {
      throw new ArgumentError(
        "invalid-argument",
        "skip: each pass of this dataset has a different order, so skip(n) would not exclude the elements of take(n). To hold out " +
          "rows, call split() on the TFXIO; to skip rows in a fixed order, shuffle with { reshuffleEachIteration: false }.",
        { reason: "reshuffled" },
      );
    }
    return new Dataset(skipPlan(this.#plan, count));
  }

  /**
   * Replaces every element with the value that `f` returns or resolves to. Calls run one at a time. With `parallel: n`, up to n
   * asynchronous calls run concurrently. Results keep the order of the elements unless `ordered` is false. Tensors of an element
   * that are not part of its result are disposed. After {@link withTensors}, tensors that a synchronous `f` creates but does
   * not return are disposed too.
   * @throws {UserFunctionError} `user-function` if `f` throws. The iterator throws it in place of the element.
   */
  map<U>(f: (element: T) => U | Promise<U>, options: MapOptions = {}): Dataset<U> {
    assertArgument("f", f, aFunction, "map");
    assertOptions("map", options, { parallel: aPositiveInteger, ordered: aBoolean });
    const { parallel = 1, ordered = true } = options;
    if (parallel === 1) return new Dataset(mapPlan(this.#plan, f));
    return new Dataset(parallelMapPlan(this.#plan, f, { parallel, isOrdered: ordered }));
  }

  /**
   * Keeps the elements for which `predicate` returns or resolves to a truthy value. The tensors of all others are disposed.
   * @throws {UserFunctionError} `user-function` if `predicate` throws. The iterator throws it in place of the element.
   */
  filter(predicate: (element: T) => boolean | Promise<boolean>): Dataset<T> {
    assertArgument("predicate", predicate, aFunction, "filter");
    return new Dataset(filterPlan(this.#plan, predicate));
  }

  /**
   * Reads up to `count` elements ahead. If the next operator reads several rows at once, as {@link batch} does, `prefetch` reads
   * up to `count` blocks of rows ahead. Reading starts at the first `next()`.
   * @throws {ArgumentError} `invalid-argument` unless `count` is a positive integer.
   */
  prefetch(count: number): Dataset<T> {
    assertArgument("count", count, aPositiveInteger, "prefetch");
    return new Dataset(prefetchPlan(this.#plan, count));
  }

  /**
   * Groups elements into windows of `size` elements, which are consecutive unless `stride` is above 1. A window has the structure
   * of an element, with a dataset in place of each leaf. Windows can be read repeatedly. With stride 1, windows over columns or
   * record batches are views. A window is never empty. Elements between windows are skipped, even failed ones. A window with a
   * failed element fails. Nothing is read after the last element of the requested window. By default, windows follow TensorFlow's
   * RFC on windowing: each starts one element after the previous one, and all are full. Pass {@link TF_WINDOW} for the defaults
   * of `tf.data`. Record batches are converted to columns, because each component of a window becomes its own dataset.
   * @throws {ArgumentError} `invalid-argument` for invalid arguments, and for a window that spans more than 2^53 - 1 elements.
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
   * Groups elements into windows like {@link window}, but each window is one dataset of whole elements. Windows of record batches
   * stay in Arrow form. With stride 1, {@link recordBatches} of a window returns slices.
   * @throws {ArgumentError} like {@link window}.
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
   * Calls `f` with every element and concatenates the elements of its results. A result is a dataset, an iterable, or a dict or
   * tuple of datasets, which are read in step, as with `zip`. Tensors of the element and of the result are disposed when the
   * result has been read.
   * @throws {UserFunctionError} `user-function` if `f` throws. The iterator throws it in place of the element. An error of an
   *   iterable that `f` returned, such as a generator, ends the pass.
   * @throws {ArgumentError} `invalid-argument` (`not-a-dataset`) if `f` returns anything else. The iterator throws it in place of
   *   the element.
   */
  flatMap<U>(f: (element: T) => DatasetLike<U> | Promise<DatasetLike<U>>): Dataset<U>;
  flatMap<const S extends DatasetStructure>(f: (element: T) => S | Promise<S>): Dataset<Zipped<S>>;
  flatMap(f: (element: T) => unknown): Dataset<unknown> {
    assertArgument("f", f, aFunction, "flatMap");
    return new Dataset(flatMapPlan(this.#plan, f));
  }

  /**
   * Replaces every element with the elements of a dataset, like {@link flatMap}, but keeps up to `cycle` datasets open, and takes
   * up to `block` elements from each in turn. When a dataset ends, the dataset of the next element takes its place in the cycle.
   * With `parallel`, reads one turn ahead in every dataset of the cycle.
   * @throws {ArgumentError} `invalid-argument` for invalid arguments. Also throws the errors of {@link flatMap}.
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

  /** Appends the elements of `other`. @throws {ArgumentError} `invalid-argument` unless `other` is a dataset. */
  concatenate<U>(other: Dataset<U>): Dataset<T | U> {
    assertArgument("other", other, aDataset, "concatenate");
    return new Dataset(concatenatePlan(this.#plan, planOf(other) as Plan));
  }

  /**
   * Replaces every element with `tuple(position, element)`. Positions count from `start`. They are bigints, which become int64 in
   * batches.
   * @throws {ArgumentError} `invalid-argument` unless `start` is a safe integer.
   */
  enumerate(start = 0): Dataset<Tuple<readonly [bigint, T]>> {
    assertArgument("start", start, anInteger(Number.MIN_SAFE_INTEGER), "enumerate");
    return new Dataset(enumeratePlan(this.#plan, start));
  }

  /**
   * Keeps elements as long as `predicate` returns or resolves to true. Any other result ends the dataset.
   * @throws {UserFunctionError} `user-function` if `predicate` throws. The iterator throws it in place of the element.
   */
  takeWhile(predicate: (element: T) => boolean | Promise<boolean>): Dataset<T> {
    assertArgument("predicate", predicate, aFunction, "takeWhile");
    return new Dataset(takeWhilePlan(this.#plan, predicate));
  }

  /**
   * Replaces every element with the output of a function that also updates a state. `f` returns or resolves to
   * `[nextState, output]`. Each pass starts with `initialState`. A failed element leaves the state unchanged.
   * @throws {UserFunctionError} `user-function` if `f` throws. The iterator throws it in place of the element.
   * @throws {ArgumentError} `invalid-argument` if `f` does not return such a pair. The iterator throws it in place of the
   *   element.
   */
  scan<S, U>(
    initialState: S,
    f: (state: S, element: T) => readonly [S, U] | Promise<readonly [S, U]>,
  ): Dataset<U> {
    assertArgument("f", f, aFunction, "scan");
    return new Dataset(scanPlan(this.#plan, initialState, f));
  }

  /**
   * Keeps every `numShards`-th element, starting at position `index`. If every shard reads the elements in the same order, each
   * element is in exactly one shard.
   * @throws {ArgumentError} `invalid-argument` for invalid arguments, such as an `index` that is not below `numShards`.
   */
  shard(numShards: number, index: number): Dataset<T> {
    assertArgument("numShards", numShards, aPositiveInteger, "shard");
    assertArgument("index", index, anInteger(0, numShards - 1), "shard");
    return new Dataset(shardPlan(this.#plan, numShards, index));
  }

  /**
   * Drops elements that are equal to an earlier element. Keeps a key of every distinct element in memory for the whole pass.
   * Numbers are compared as float32, so 2^24 equals 2^24 + 1. Bigints are compared exactly. NaN equals NaN, and 0 equals -0.
   * @throws {ArgumentError} `invalid-argument` for tensors and datasets, which cannot be compared. The iterator throws it.
   */
  unique(): Dataset<T> {
    return new Dataset(uniquePlan(this.#plan));
  }

  /**
   * Drops failed elements, such as those for which a function threw, or whose value cannot be converted. All other errors, such
   * as read errors of a source, still end the pass.
   * @throws {ArgumentError} `invalid-argument` for invalid options.
   */
  ignoreErrors(options: IgnoreErrorsOptions = {}): Dataset<T> {
    assertOptions("ignoreErrors", options, { log: aFunction, max: anInteger(0) });
    const { log, max = Number.POSITIVE_INFINITY } = options;
    return new Dataset(ignoreErrorsPlan(this.#plan, { log, max }));
  }

  /**
   * Stores the elements of the first complete pass, in memory or in `folder` (Node only). Later passes read the stored elements.
   * In memory, passes share the elements without copies, so do not modify them. With a folder, passes in later processes read
   * them too. Until a pass is complete, passes read the source. A pass that is abandoned, or in which an element fails, stores
   * nothing. With a folder, elements are rows of host columns even in the first pass, which reads up to 256 elements ahead.
   * Numbers become float32, bigints become int64, and text becomes its UTF-8 bytes.
   * @throws {ArgumentError} `invalid-argument` for an invalid `folder`, and after {@link withTensors}. Without a folder, the
   *   iterator throws it for an element that contains tensors although `withTensors` was not called. With a folder, the iterator
   *   throws it with the reason `other-plan` if another dataset filled the folder.
   * @throws With a folder, the iterator also throws the errors of {@link save} for elements that cannot be stored.
   * @throws {UnsupportedError} `unsupported` (`file-system`) for a folder in browsers. The iterator throws it.
   * @throws {RecordError} `corrupt-record` (`manifest`) for a damaged folder. The iterator throws it, and also any error from
   *   reading the Arrow file in the folder.
   */
  cache(folder?: string): Dataset<T> {
    this.#assertOnHost("cache");
    if (folder === undefined) return new Dataset(cachePlan(this.#plan));
    assertArgument("folder", folder, aName, "cache");
    return new Dataset(cacheInFolderPlan(this.#plan, folder));
  }

  /**
   * Stores the elements like {@link cache}, in a subfolder of `folder`. Datasets that differ in their operators, settings or
   * files use different subfolders. Functions are not compared, so delete the folder when a function changes.
   * @throws The errors of {@link cache}.
   */
  snapshot(folder: string): Dataset<T> {
    assertArgument("folder", folder, aName, "snapshot");
    this.#assertOnHost("snapshot");
    return new Dataset(cacheInFolderPlan(this.#plan, snapshotFolder(folder, this.#plan)));
  }

  /**
   * Writes all elements to a folder as an Arrow file and a manifest (Node only). Creates the folder if it does not exist. The
   * manifest is written last, so a process that is killed earlier leaves no dataset. {@link fromSaved} reads the folder.
   * @throws {ArgumentError} `invalid-argument` for invalid arguments. The reason is `infinite-dataset` for an infinite dataset,
   *   and `stored` if the folder already contains elements.
   * @throws {ConversionError} `not-convertible` for tensors, null and datasets, and `shape-mismatch` for elements that
   *   differ in anything but the sizes of their dimensions. If such elements are in different record batches of the file, throws
   *   a SchemaError `schema-mismatch` (`dataset-element`) instead. Also throws errors of elements and of the file system.
   * @throws {UnsupportedError} `unsupported` (`file-system`) in browsers.
   */
  async save(folder: string, options: Pick<IterateOptions, "signal"> = {}): Promise<SaveSummary> {
    assertArgument("folder", folder, aName, "save");
    assertOptions("save", options, { signal: anAbortSignal });
    assertFinite("save", this.#plan.cardinality());
    const [summary] = await this.#iterate<SaveSummary>(savingPlan(this.#plan, folder), options).toArray();
    return summary as SaveSummary;
  }

  /**
   * Drops elements at random, so that the classes of the remaining elements have the shares in `target`. `classOf` returns or
   * resolves to the class number of an element. Each pass makes new draws.
   * @throws {ArgumentError} `invalid-argument` for invalid arguments. The iterator throws it in place of an element whose class
   *   is not an index into `target`.
   * @throws {UserFunctionError} `user-function` if `classOf` throws. The iterator throws it in place of the element.
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
        `rejectionResample: initial must have as many shares as target (${target.length}), found ${initial.length}.`,
        { argument: "initial" },
      );
    }
    return new Dataset(rejectionResamplePlan(this.#plan, classOf, { target, initial, seed }));
  }

  /**
   * Replaces every batch with its rows, which are slices along the first dimension of all its components.
   * @throws {ArgumentError} `invalid-argument` (`unequal-elements`) for scalars, for components of unequal length, and for
   *   tensors before {@link withTensors}. The iterator throws it.
   */
  unbatch(): Dataset<Unbatched<T>> {
    return new Dataset(unbatchPlan(this.#plan));
  }

  /**
   * Regroups the rows of batches into batches of one size, or of several sizes in turn. A size of 0 makes an empty batch.
   * @throws {ArgumentError} `invalid-argument` for invalid arguments. The iterator throws the errors of {@link unbatch} and
   *   {@link batch}.
   */
  rebatch(sizes: number | readonly number[], options: BatchOptions = {}): Dataset<T> {
    const list = typeof sizes === "number" ? [sizes] : sizes;
    if (!someBatchSizes.holds(list))
      throw invalidArgument("sizes", someBatchSizes.expected, sizes, { owner: "rebatch" });
    assertOptions("rebatch", options, { dropRemainder: aBoolean });
    return new Dataset(resizedBatchesPlan(this.#plan, list, options.dropRemainder ?? false));
  }

  /**
   * Stacks elements like {@link batch}, but pads them at the end of each dimension, so that elements may differ in size.
   * @throws {ArgumentError} `invalid-argument` for invalid arguments. The iterator throws it for elements that differ in
   *   structure, rank or dtype, for a component without an entry in `shapes`, and for a padding value that does not fit the
   *   dtype.
   * @throws {ConversionError} `shape-mismatch` (`data-loss`) for an element larger than its padded shape. The iterator throws it.
   * @throws {SchemaError} `schema-mismatch` (`type-mismatch`) for sparse and ragged values. The iterator throws it.
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
   * Stacks elements like {@link batch}, but makes each dimension of the elements ragged, except those in `innerShape`. Elements
   * may then differ in size. Elements without a ragged dimension, such as scalars, are only stacked.
   * @throws {ArgumentError} `invalid-argument` for invalid arguments. The iterator throws it for elements that differ in
   *   structure or dtype, and for dense elements that differ in rank or inner shape.
   * @throws {ConversionError} `shape-mismatch` for ragged elements that differ in ragged rank or inner shape, and for elements
   *   that are only stacked and differ in shape. The iterator throws it.
   * @throws {SchemaError} `schema-mismatch` (`type-mismatch`) for sparse values, and for a batch of both dense and ragged values.
   *   The iterator throws it.
   */
  raggedBatch(count: number, options: RaggedBatchOptions = {}): Dataset<unknown> {
    assertArgument("count", count, aPositiveInteger, "raggedBatch");
    assertOptions("raggedBatch", options, {
      dropRemainder: aBoolean,
      innerShape: aListOf("a list of integers of at least 0", anInteger(0)),
    });
    const { dropRemainder = false, innerShape = [] } = options;
    const batcher = raggedBatcher({ innerShape });
    const settings = { operator: "raggedBatch", size: count, dropRemainder, batcherFor: () => batcher };
    return new Dataset(batchWithPlan(this.#plan, settings));
  }

  /**
   * Combines every `count` consecutive elements, dense or sparse, into one sparse value. The dense shape of a batch of n elements
   * is `[n, ...rowShape]`. In `rowShape`, null or -1 means the largest size in the batch.
   * @throws {ArgumentError} `invalid-argument` for invalid arguments. The iterator throws it for elements that differ in
   *   structure, rank or dtype.
   * @throws {ConversionError} `shape-mismatch` (`data-loss`) for an element larger than `rowShape`. The iterator throws it.
   * @throws {SchemaError} `schema-mismatch` (`type-mismatch`) for ragged values. The iterator throws it.
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
   * Batches elements like {@link batch}, but uses a reducer, such as `paddedBatchDense` or `ragged`, for each component listed in
   * `reducers`. The keys of `reducers` are names, or indices for a tuple. All other components are stacked.
   * @throws {ArgumentError} `invalid-argument` for invalid arguments. The iterator throws it for elements that differ in their
   *   components or lack a component in `reducers`. The iterator also throws the errors of {@link batch} and of the reducers.
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
   * Groups elements by key, and replaces each full group with the elements that `reduce` returns for it. At the end of the input,
   * the remaining groups follow: those with integer keys in ascending order, then those with text keys in the order of their
   * first elements. The elements of a group stay in memory until it is replaced.
   * @throws {ArgumentError} `invalid-argument` for invalid arguments. The iterator throws it for a key that is neither an integer
   *   nor text, and at the first element of a group whose window size is not a positive integer.
   * @throws {UserFunctionError} `user-function` if a function throws. The iterator throws it.
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
   * Batches elements of similar length together, and pads them unless `noPadding` is true.
   * @throws {ArgumentError} `invalid-argument` for invalid arguments. With `padToBoundary`, the iterator throws it for a batch
   *   of the last bucket, which has no boundary. The iterator also throws the errors of {@link paddedBatch}.
   * @throws {UserFunctionError} `user-function` if `length` throws, or does not return an integer of at least 0. The iterator
   *   throws it in place of the element.
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
   * @throws {ArgumentError} `invalid-argument` (`infinite-dataset`) for an infinite dataset.
   * @throws {UserFunctionError} `user-function` if a function throws. If the function was called with an element, the error has
   *   the index of that element. Once the pass has begun, any error disposes the tensors of the state. A TfxioError is rethrown
   *   unchanged.
   */
  reduce<S, R>(reducer: Reducer<T, S, R>, options?: ReduceOptions): Promise<R>;
  reduce<S>(
    initialState: S,
    f: (state: S, element: T) => S | Promise<S>,
    options?: ReduceOptions,
  ): Promise<S>;
  async reduce(first: unknown, second?: unknown, third?: ReduceOptions): Promise<unknown> {
    if (first instanceof Reducer) return this.#reduce("reduce", first, second as ReduceOptions | undefined);
    assertArgument("f", second, aFunction, "reduce");
    return this.#reduce(
      "reduce",
      new Reducer(() => first, second as (state: unknown, element: never) => unknown),
      third,
    );
  }

  /**
   * Runs several reducers in one pass, and resolves to a dict of their results by name.
   * @throws The errors of {@link reduce}.
   */
  async reduceMany<const Each extends Readonly<Record<string, AnyReducer>>>(
    reducers: Each,
    options?: ReduceOptions,
  ): Promise<Results<Each>> {
    assertArgument("reducers", reducers, aDictOfReducers, "reduceMany");
    return (await this.#reduce("reduceMany", together(reducers), options)) as Results<Each>;
  }

  /**
   * Arranges batches as `{ xs, ys }` for `fitDataset`. Components of a dict are selected by name, and those of a tuple by index.
   * A list of names yields a dict of components, and a list of indices yields a tuple. All other components are dropped, and
   * their tensors disposed. Call `toXY` on batches, before {@link withTensors}, so that dropped components never become tensors.
   * @throws {ArgumentError} `invalid-argument` for invalid options. The iterator throws it if an element has no components, or
   *   lacks a selected one.
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
   * Converts host values to tensors of `tf`, one for each component. Call `withTensors` after all methods except {@link prefetch}
   * and a {@link map} over tensors. Whoever receives an element must dispose its tensors, as `fitDataset` does. The options
   * `int64` and `float64` each take one policy for all components, or a dict of policies by path, such as `"ys"` or `"xs.age"`.
   * The default policies, `"int32"` and `"float32"`, reject values that do not fit exactly.
   * @throws {ArgumentError} `invalid-argument` if `tf` is not TensorFlow.js, and for unknown policies.
   * @throws {ConversionError} `out-of-range`, naming the component. The iterator throws it in place of the element.
   */
  withTensors(options: TensorOnlySettings): Dataset<WithTensors<T>>;
  /** Converts host values to tensors. Components with the policy `"host"` stay host columns. */
  withTensors(options: TensorSettings): Dataset<WithTensors<T, HostColumn>>;
  withTensors(options: TensorSettings): Dataset<WithTensors<T, HostColumn>> {
    return new Dataset(withTensorsPlan(this.#plan, options));
  }

  /**
   * Reads the rows as record batches. The dataset must come from `fromRecordBatches` or `fromRandomAccess`. Between that
   * function and `recordBatches`, call only methods that move rows without changing them, such as {@link shuffle}, {@link take},
   * {@link skip}, {@link repeat} and {@link prefetch}. If the rows of a batch are consecutive in one source batch, the batch
   * shares the buffers of that source batch. All resources are freed when the loop is left, on `close()`, when the signal is
   * aborted, and after any error.
   * @throws {ArgumentError} `invalid-argument` for invalid options. The reason is `not-record-batches` if the
   *   dataset has another source, or if any other method was called in between.
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
        "recordBatches: the rows of this dataset must be in record batches. Create the dataset with fromRecordBatches " +
          "or fromRandomAccess, and call recordBatches before methods that change rows, such as batch and map.",
        { reason: "not-record-batches" },
      );
    }
    return this.#iterate<RecordBatch>(rebatchPlan(this.#plan, batchSize, dropRemainder), { state, signal });
  }

  /**
   * Creates an iterator of one pass. Returns a promise, as tfjs expects. Nothing is read before the first `next()`.
   * @throws {ArgumentError} `invalid-argument` for invalid options. The reason is `state` for a value that is not a state, and
   *   `other-plan` for the state of another dataset. The iterator throws it with the reason `other-data` if the data ends before
   *   the position of the state.
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
   * Returns the {@link DatasetIterator.state} of the last pass. If that pass has ended, returns the state at the start of the
   * next pass. With `fitDataset`, which does not expose its iterator, call `state()` in `onBatchEnd`, and later train on
   * `resume(state)`.
   * @throws {UnsupportedError} `unsupported` (`not-repeatable`), naming the operator, if the order of elements is not fixed.
   */
  state(): DatasetState {
    return this.#latest?.state() ?? this.#from ?? stateOf(this.#plan, undefined, 0);
  }

  /**
   * Returns the same dataset, except that its first pass resumes at `state`. Later passes are complete.
   * @throws {ArgumentError} like {@link iterator}.
   */
  resume(state: DatasetState): Dataset<T> {
    assertStateOf(this.#plan, state, "resume");
    const resumed = new Dataset<T>(this.#plan);
    resumed.#from = state;
    return resumed;
  }

  /**
   * Resolves to all elements of one pass.
   * @throws {ArgumentError} `invalid-argument` (`infinite-dataset`) for an infinite dataset.
   */
  async toArray(options: Pick<IterateOptions, "signal"> = {}): Promise<T[]> {
    assertOptions("toArray", options, { signal: anAbortSignal });
    assertFinite("toArray", this.#plan.cardinality());
    return this.#iterate<T>(this.#plan, options).toArray();
  }

  /** Closes every open iterator of this dataset. The dataset can be read again. */
  async close(): Promise<void> {
    await Promise.all([...this.#runs].map((run) => run.close()));
  }

  #assertOnHost(operator: string): void {
    if (this.#plan.tf === undefined) return;
    throw new ArgumentError(
      "invalid-argument",
      `${operator}: elements must not contain tensors. Call ${operator} before withTensors.`,
    );
  }

  #reduce(method: string, reducer: AnyReducer, options: ReduceOptions = {}): Promise<unknown> {
    assertOptions(method, options, { signal: anAbortSignal });
    return runReduction(this.#plan, reducer, method, options.signal);
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
    const isOwn = plan === this.#plan;
    const stateToResume = (): DatasetState | undefined => state ?? (isOwn ? this.#from : undefined);
    return new DatasetIterator<Element>({
      stateAtStart: () => stateToResume() ?? stateOf(plan, undefined, 0),
      start: () => {
        const run = new Run(plan, { signal, onElementError, from: stateToResume(), onClose });
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
