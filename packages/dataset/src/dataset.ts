import { type Cardinality, sizeOf } from "./cardinality.js";
import { assertStateOf, type DatasetState, stateOf } from "./checkpoint/dataset-state.js";
import { DatasetIterator } from "./dataset-iterator.js";
import type { IterateOptions, RebatchOptions, ReduceOptions } from "./dataset-options.js";
import { ElementOperators } from "./dataset/elements.js";
import { rebatchPlan } from "./operators/batching/record-batches.js";
import { keepPlan, makeDatasetsWith } from "./plan-of.js";
import type { Plan } from "./plan.js";
import { aDictOfReducers, type Results, together } from "./reducers/reduce-many.js";
import { type AnyReducer, Reducer } from "./reducers/reducer.js";
import { runReduction } from "./reducers/run-reduction.js";
import { Run } from "./run.js";
import { type SaveSummary, savingPlan } from "./stored/save-elements.js";
import { ArgumentError } from "@tfxio/wire";
import {
  aBoolean,
  aFunction,
  anAbortSignal,
  aName,
  aPositiveInteger,
  assertArgument,
  assertOptions,
  oneOf,
} from "@tfxio/wire/checks";
import type { RecordBatch } from "apache-arrow";

/**
 * A sequence of elements and how to make it. Immutable, and can be read any number of times. `fromItems`, `fromBlocks`,
 * `fromRecordBatches` and `fromRandomAccess` make one. `model.fitDataset` and `evaluateDataset` accept it (see {@link toXY},
 * {@link withTensors}). Methods only check their arguments; work begins at the first `next()`.
 */
export class Dataset<T> extends ElementOperators<T> implements AsyncIterable<T> {
  readonly #plan: Plan;
  readonly #runs: Set<Run> = new Set();
  /** State at which the next pass resumes. */
  #from: DatasetState | undefined;
  /** The pass that was begun last, while it is open. */
  #latest: Run | undefined;

  /** @param plan what the operators pass on; use `fromItems`, `fromBlocks` or `fromRecordBatches`. */
  constructor(plan: Plan) {
    super();
    this.#plan = plan;
    keepPlan(this, plan);
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
   * Writes all elements to a folder as an Arrow file and a manifest (Node only). Creates the folder if it does not exist. The
   * manifest is written last, so a killed process leaves no dataset. {@link fromSaved} reads the folder.
   * @throws {ArgumentError} `invalid-argument`; with reason `stored` for a folder that holds elements already.
   * @throws {ConversionError} `not-convertible` for tensors, null and datasets, `shape-mismatch` for elements that differ in
   *   more than the sizes of their dimensions; errors of elements, and of the file system.
   */
  async save(folder: string, options: Pick<IterateOptions, "signal"> = {}): Promise<SaveSummary> {
    assertArgument("folder", folder, aName, "save");
    assertOptions("save", options, { signal: anAbortSignal });
    if (this.#plan.cardinality() === "infinite") {
      throw new ArgumentError("invalid-argument", "save: the dataset has no end; take(n) of it");
    }
    const [summary] = await this.#iterate<SaveSummary>(savingPlan(this.#plan, folder), options).toArray();
    return summary as SaveSummary;
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
   * The rows as record batches. Works after `fromRecordBatches`, and after {@link shuffle}, {@link take}, {@link skip},
   * {@link repeat} and {@link prefetch} of it, because these only move rows. A batch whose rows lie in one batch of the source
   * shares its buffers. Leaving the loop, `close()`, the signal and every error free everything, as with any iterator.
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
        "recordBatches: the rows of this dataset lie in no record batches; call it behind fromRecordBatches, before " +
          "batch and every function of yours",
        { reason: "not-record-batches" },
      );
    }
    return this.#iterate<RecordBatch>(rebatchPlan(this.#plan, batchSize, dropRemainder), { state, signal });
  }

  /**
   * Begins a pass. Returns a promise because tfjs expects one. Has no effect before the first `next()`.
   * @throws {ArgumentError} `invalid-argument`; with reason `state` for a value that is not a state, `other-plan` for a state of
   *   another dataset; from the iterator with reason `other-data` when the data ends before the position of the state.
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
   * The state of the pass that began last, like {@link DatasetIterator.state} of its iterator. Between two passes, the start of
   * the next one. Use it with `fitDataset`, which does not expose its iterator: call this in `onBatchEnd`, and later train on
   * {@link resume} of the state.
   * @throws {UnsupportedError} `unsupported` (`not-repeatable`), naming the operator.
   */
  state(): DatasetState {
    return this.#latest?.state() ?? this.#from ?? stateOf(this.#plan, undefined, 0);
  }

  /**
   * The same dataset, except that its first pass resumes at `state`. Later passes are complete.
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
      throw new ArgumentError("invalid-argument", "toArray: the dataset has no end; take(n) of it");
    }
    return this.#iterate<T>(this.#plan, options).toArray();
  }

  /** Closes every iterator of this dataset that is still open. The dataset can be read again. */
  async close(): Promise<void> {
    await Promise.all([...this.#runs].map((run) => run.close()));
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

makeDatasetsWith((plan) => new Dataset(plan));
