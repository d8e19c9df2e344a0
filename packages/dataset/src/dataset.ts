import type { HostColumn } from "@tfxio/tensor-adapter";
import { ArgumentError } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";
import { type Cardinality, sizeOf } from "./cardinality.js";
import {
  aBoolean,
  aFunction,
  anAbortSignal,
  anInteger,
  aPositiveInteger,
  assertArgument,
  assertOptions,
  oneOf,
  required,
} from "@tfxio/wire/checks";
import { DatasetIterator } from "./dataset-iterator.js";
import type { Batched, KeysOf, Selected, WithTensors } from "./columns/element-types.js";
import { batchPlan } from "./operators/batching/batch.js";
import { filterPlan } from "./operators/elements/filter.js";
import { mapPlan } from "./operators/elements/map.js";
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
import { Run } from "./run.js";

/** Options of {@link Dataset.batch}. */
export interface BatchOptions {
  /** Drop the last batch when it is smaller. Default false: no row is lost. */
  readonly dropRemainder?: boolean | undefined;
}

/** Options of {@link Dataset.recordBatches}. */
export interface RebatchOptions extends BatchOptions {
  /** Rows of every batch but the last. Default: batches as they come; shuffled rows in batches of up to 1024. */
  readonly batchSize?: number | undefined;
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
  /** Aborting it ends the pass: `next()` rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
  /**
   * What an error of one element (a function that threw, a value that cannot be converted) does. Default `"end"`: the
   * pass ends and everything is freed, as after any other error, since `for await` and `fitDataset` never come back.
   * `"continue"`: the next `next()` gives the element behind it; whoever asks for this closes the iterator.
   */
  readonly onElementError?: "end" | "continue" | undefined;
}

/** A number of elements or passes; -1 for all there are. */
const aCount = anInteger(-1);

/**
 * A sequence of elements and how to make it: immutable, read any number of times. Made by `fromItems`,
 * `fromBlocks` and `fromRecordBatches`. `model.fitDataset` and `evaluateDataset` take it as it is (see {@link toXY}, {@link withTensors}).
 * Methods check their arguments at the call and have no other effect; work begins at the first `next()`.
 */
export class Dataset<T> implements AsyncIterable<T> {
  readonly #plan: Plan;
  readonly #runs: Set<Run> = new Set();

  /** @param plan what the operators pass on; use `fromItems`, `fromBlocks` or `fromRecordBatches`. */
  constructor(plan: Plan) {
    this.#plan = plan;
  }

  /** Number of elements of one pass: exact, `"infinite"`, or `"unknown"`. */
  cardinality(): Cardinality {
    return this.#plan.cardinality();
  }

  /**
   * The cardinality as TensorFlow.js asks for it: `Infinity` without end, and null when it is not known. Typed as
   * tfjs types its own, which hides the null, since `fitDataset` would not accept a `Dataset` otherwise.
   */
  get size(): number {
    return sizeOf(this.#plan.cardinality()) as number;
  }

  /**
   * `count` elements stacked into one with a leading dimension. Host values become host columns (numbers float32,
   * bigints int64, booleans uint8), tensors a tensor. Rows from `fromBlocks` are joined column by column, ragged
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
    return new Dataset(batchPlan(this.#plan, count, dropRemainder));
  }

  /**
   * Elements in random order: drawn uniformly from a buffer of `bufferSize` elements that is refilled in order.
   * The order depends on seed, buffer size and the number of the pass only (xoshiro128**, stable across releases).
   * @throws {ArgumentError} `invalid-argument`
   */
  shuffle(bufferSize: number, options: ShuffleOptions = {}): Dataset<T> {
    assertArgument("bufferSize", bufferSize, aPositiveInteger, "shuffle");
    assertOptions("shuffle", options, { seed: anInteger(0), reshuffleEachIteration: aBoolean });
    const { seed = Math.floor(Math.random() * 2 ** 32), reshuffleEachIteration = true } = options;
    return new Dataset(shufflePlan(this.#plan, { bufferSize, seed, reshuffleEachIteration }));
  }

  /**
   * `count` passes one after the other; -1 (the default) for no end. A pass without elements ends an endless repeat.
   * @throws {ArgumentError} `invalid-argument`
   */
  repeat(count: number = -1): Dataset<T> {
    assertArgument("count", count, aCount, "repeat");
    return new Dataset(repeatPlan(this.#plan, count));
  }

  /**
   * The first `count` elements; -1 for all. After a {@link shuffle} that reshuffles, as in the default dataset of a TFXIO,
   * each pass takes other elements. To hold out rows for validation, use `split` of the TFXIO.
   * @throws {ArgumentError} `invalid-argument`
   */
  take(count: number): Dataset<T> {
    assertArgument("count", count, aCount, "take");
    return new Dataset(takePlan(this.#plan, count));
  }

  /**
   * All but the first `count` elements; -1 leaves none.
   * @throws {ArgumentError} `invalid-argument`; with reason `reshuffled` when each pass has another order, since the
   *   elements that {@link take} gave would come back: use `split` of the TFXIO, or `reshuffleEachIteration: false`.
   */
  skip(count: number): Dataset<T> {
    assertArgument("count", count, aCount, "skip");
    if (this.#plan.reshuffles && count !== 0) {
      throw new ArgumentError(
        "invalid-argument",
        "skip: each pass of this dataset has another order, so skip would not leave out what take gave. To hold out " +
          "rows, use split of the TFXIO; to skip rows of a fixed order, shuffle with { reshuffleEachIteration: false }.",
        { reason: "reshuffled" },
      );
    }
    return new Dataset(skipPlan(this.#plan, count));
  }

  /**
   * Every element replaced by what `f` returns or resolves to, one at a time. Behind {@link withTensors} tensors that a
   * synchronous `f` makes and does not return are disposed; input tensors that are not in the output always are.
   * @throws {UserFunctionError} `user-function` from the iterator, in the element's place, when `f` throws.
   */
  map<U>(f: (element: T) => U | Promise<U>): Dataset<U> {
    assertArgument("f", f, aFunction, "map");
    return new Dataset(mapPlan(this.#plan, f));
  }

  /**
   * The elements for which `predicate` returns or resolves to true; tensors of the others are disposed.
   * @throws {UserFunctionError} `user-function` from the iterator, in the element's place, when it throws.
   */
  filter(predicate: (element: T) => boolean | Promise<boolean>): Dataset<T> {
    assertArgument("predicate", predicate, aFunction, "filter");
    return new Dataset(filterPlan(this.#plan, predicate));
  }

  /**
   * Reads ahead, from the first `next()` on: up to `count` elements, or as many blocks of rows in front of a batch.
   * @throws {ArgumentError} `invalid-argument`
   */
  prefetch(count: number): Dataset<T> {
    assertArgument("count", count, aPositiveInteger, "prefetch");
    return new Dataset(prefetchPlan(this.#plan, count));
  }

  /**
   * Batches in the form that `fitDataset` takes, by component name (dict) or index (tuple); a list of names gives a
   * dict, a list of indices a tuple. Components that are not named are dropped, their tensors disposed. Apply it to
   * batches, before {@link withTensors}, so that no tensor is made of what is dropped.
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
   * Host values become tensors of `tf`, one per component: the last step before a model. Whoever receives an element
   * disposes its tensors, as `fitDataset` does. int64 and float64 follow their policies, for all components or by
   * path (`"ys"`, `"xs.age"`), with `"int32"` and `"float32"` by default, both checked.
   * @throws {ArgumentError} `invalid-argument` for what is no TensorFlow.js, and for unknown policies.
   * @throws {ConversionError} `out-of-range` from the iterator, in the element's place, naming the component.
   */
  withTensors(options: TensorOnlySettings): Dataset<WithTensors<T>>;
  /** With the policy `"host"`, the components that it is about stay host columns. */
  withTensors(options: TensorSettings): Dataset<WithTensors<T, HostColumn>>;
  withTensors(options: TensorSettings): Dataset<WithTensors<T, HostColumn>> {
    return new Dataset(withTensorsPlan(this.#plan, options));
  }

  /**
   * The rows as record batches, while they still lie in some: behind `fromRecordBatches` and any of {@link shuffle},
   * {@link take}, {@link skip}, {@link repeat} and {@link prefetch}. Batches that lie within one of the source share its
   * buffers. Ends as an iterator does: leaving the loop, `close()`, the signal and every error free everything.
   * @throws {ArgumentError} `invalid-argument`; with reason `not-record-batches` for other datasets.
   */
  recordBatches(options: RebatchOptions = {}): DatasetIterator<RecordBatch> {
    assertOptions("recordBatches", options, {
      batchSize: aPositiveInteger,
      dropRemainder: aBoolean,
      signal: anAbortSignal,
    });
    const { batchSize, dropRemainder = false, signal } = options;
    if (this.#plan.moved?.arrowSchema === undefined) {
      throw new ArgumentError(
        "invalid-argument",
        "recordBatches: the rows of this dataset lie in no record batches; call it behind fromRecordBatches, before " +
          "batch and every function of yours",
        { reason: "not-record-batches" },
      );
    }
    return this.#iterate<RecordBatch>(rebatchPlan(this.#plan, batchSize, dropRemainder), { signal });
  }

  /**
   * Begins a pass, as a promise because tfjs wants one. Has no effect before the first `next()`.
   * @throws {ArgumentError} `invalid-argument`
   */
  async iterator(options: IterateOptions = {}): Promise<DatasetIterator<T>> {
    assertOptions("iterator", options, { signal: anAbortSignal, onElementError: oneOf("end", "continue") });
    return this.#iterate(this.#plan, options);
  }

  [Symbol.asyncIterator](): DatasetIterator<T> {
    return this.#iterate(this.#plan, {});
  }

  /** All elements of one pass, in memory. @throws {ArgumentError} `invalid-argument` when there is no end of them. */
  async toArray(options: Pick<IterateOptions, "signal"> = {}): Promise<T[]> {
    assertOptions("toArray", options, { signal: anAbortSignal });
    if (this.#plan.cardinality() === "infinite") {
      throw new ArgumentError("invalid-argument", "toArray: the dataset has no end; take(n) of it");
    }
    return this.#iterate<T>(this.#plan, options).toArray();
  }

  /** Closes every iterator of this dataset that is still open. The dataset can be read again. */
  async close(): Promise<void> {
    await Promise.all([...this.#runs].map((run) => run.close()));
  }

  #iterate<Element>(
    plan: Plan,
    { signal, onElementError = "end" }: IterateOptions,
  ): DatasetIterator<Element> {
    const onClose = (closed: Run): void => void this.#runs.delete(closed);
    return new DatasetIterator<Element>(() => {
      const run = new Run(plan, { signal, onElementError, onClose });
      this.#runs.add(run);
      return run;
    });
  }
}
