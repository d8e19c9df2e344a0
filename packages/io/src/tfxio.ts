import type { Dataset, TensorFlow } from "@tfxio/dataset";
import type { Schema, TensorRepresentation } from "@tfxio/schema";
import type {
  AnyTensor,
  HostColumn,
  HostColumns,
  Float64Policy,
  Int64Policy,
  PerTensor,
  TensorAdapter,
  TensorAdapterConfig,
} from "@tfxio/tensor-adapter";
import type { PlainRow } from "@tfxio/arrow-encoding";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import type { ReadPlan } from "@tfxio/format";
import type { BatchLease } from "./leases/batch-lease.js";
import type { SplitOptions } from "./reading/sampled-requests.js";

/** How far a pass over the data has come; counts run on over epochs. */
export interface TfxioProgress {
  /** Number of the pass over the data, from 0. */
  readonly epoch: number;
  /** The file that the last batch came from. */
  readonly uri: string;
  readonly numRows: number;
  /** Uncompressed bytes. */
  readonly numBytes: number;
  /** Records left out by a skip policy. */
  readonly numSkipped: number;
}

/** Options of {@link Tfxio.recordBatches}. @see tfx_bsl.tfxio.dataset_options.RecordBatchesOptions */
export interface RecordBatchesOptions {
  /**
   * Rows of every batch, counted on over files and epochs; the last one may be smaller. Needs a schema.
   * Default: batches as the reader makes them, 4096 rows or about 32 MB, never spanning files.
   */
  readonly batchSize?: number | undefined;
  /** Leaves out a last batch of fewer than `batchSize` rows. Default false. */
  readonly dropFinalBatch?: boolean | undefined;
  /** Passes over the data; `Infinity` never ends. Default 1 (the peer's is endless). */
  readonly numEpochs?: number | undefined;
  /** Random order of files, then of rows within a buffer; anew in each epoch. Needs a schema. Default false. */
  readonly shuffle?: boolean | undefined;
  /** Rows that the shuffle draws from. Default 10000. */
  readonly shuffleBufferSize?: number | undefined;
  /** Makes the order reproducible, on every machine, as long as `sloppyOrdering` is false. Default: another one every time. */
  readonly shuffleSeed?: number | undefined;
  /**
   * Files read at the same time, taking turns batch by batch. Default: as many as a number of `workers`, at least 1. With
   * `"auto"` 1, so that the order is the same on every machine; with `sloppyOrdering` as many as threads start.
   */
  readonly readerNumThreads?: number | undefined;
  /**
   * Threads that decode, each a file at a time (several with more `readerNumThreads`), while the calling thread does
   * something else; 0: everything on the calling thread. A thread is kept for ten seconds behind a pass.
   * `"auto"`, the default in Node: one for each file read at the same time, at most one for each core but one (for gzip,
   * one for every two cores) and 8 in all; 0 for inputs of less than 512 MiB, since starting a thread takes about half a
   * second of processor time, for bytes in memory, and where workers cannot start or cannot read this. It changes no order.
   * In browsers the default is 0: a bundler may not have the worker's file.
   * A number insists: bytes in memory are copied once, into a Blob that all threads read; custom byte sources, URLs with headers of their own and formats without a `module` are then
   * `unsupported`.
   * @see tfx_bsl.tfxio.dataset_options.TensorFlowDatasetOptions `parser_num_threads`
   */
  readonly workers?: number | "auto" | undefined;
  /** Lets the batches of several readers go out as they come instead of in turns. Default false. */
  readonly sloppyOrdering?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: TfxioProgress) => void) | undefined;
}

/** Options of {@link Tfxio.leasedBatches}: batches come as they are made, in the order of the files. */
export type LeasedBatchesOptions = Pick<
  RecordBatchesOptions,
  "numEpochs" | "readerNumThreads" | "workers" | "sloppyOrdering" | "signal" | "onProgress"
>;

/** Options of {@link Tfxio.dataset}. @see tfx_bsl.tfxio.dataset_options.TensorFlowDatasetOptions */
export interface DatasetOptions extends Omit<RecordBatchesOptions, "signal"> {
  /** Rows of every element. Default 32, as Keras' `fit`. */
  readonly batchSize?: number | undefined;
  /** Default true, unlike {@link RecordBatchesOptions.shuffle}: a dataset is there to train on. */
  readonly shuffle?: boolean | undefined;
  /** Elements prepared ahead of the consumer. Default 2: one in use, one being made while the model trains. */
  readonly prefetchBufferSize?: number | undefined;
  /**
   * Name of the dense tensor to predict. Elements are then `{ xs, ys }`, which `model.fitDataset` takes: `xs` holds the
   * other tensors by name. With `tf`, 64-bit labels become float32, checked, unless `int64` says otherwise: sparse
   * categorical losses refuse int32. Without it, elements are all tensors by name.
   */
  readonly labelKey?: string | undefined;
  /**
   * Number of classes: labels, integers from 0, become rows of as many float32 numbers, of which the one at the label is
   * 1, as categorical losses take them. Needs `labelKey`. Default: labels as they are.
   */
  readonly oneHot?: number | undefined;
  /** The application's TensorFlow.js; elements are its tensors. Without it, elements are host columns. */
  readonly tf?: TensorFlow | undefined;
  /**
   * What 64-bit integers become, for all tensors or by name. Default `"int32"`, for the label `"float32"`, both checked.
   * Needs `tf`.
   */
  readonly int64?: PerTensor<Int64Policy> | undefined;
  /** What float64 becomes, for all tensors or by name. Default `"float32"`, checked. Needs `tf`. */
  readonly float64?: PerTensor<Float64Policy> | undefined;
}

/** Tensors (or, without `tf`, host columns) by tensor name. */
export type TensorsByName = Record<string, AnyTensor | HostColumn>;

/** An element of {@link Tfxio.dataset}: with `labelKey`, the form that `model.fitDataset` takes. */
export type DatasetElement =
  | TensorsByName
  | { readonly xs: TensorsByName; readonly ys: AnyTensor | HostColumn };

/** A row of a projection: which columns its tensors need is not known to the compiler. */
export type ProjectedRow<Row> = string extends keyof Row ? Row : Partial<Row>;

/** What {@link Tfxio.split} gives. */
export interface SplitTfxios<Part> {
  readonly train: Part;
  readonly validation: Part;
}

/** Options of {@link Tfxio.countRows}. */
export type CountRowsOptions = Pick<RecordBatchesOptions, "signal" | "onProgress">;

/** Options of {@link Tfxio.rawRecords}. */
export interface RawRecordsOptions {
  /** Name of the only column. Default: the raw record column asked for when opening, else `raw_record`. */
  readonly columnName?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Training data behind one face, whatever its format: record batches, and tensors derived from them.
 * An immutable value; any number of passes may run at once. @see RFC 162, "TFXIO"
 */
export interface Tfxio<Columns extends HostColumns = HostColumns, Row = PlainRow> {
  /** The TFMD schema: the one given, or the one inferred. @throws {SchemaError} `schema-required` without one. */
  schema(): Schema;
  /** Arrow schema of every batch, the raw record column included. @throws {SchemaError} `schema-required`. */
  arrowSchema(): ArrowSchema;
  /** Tensor name → representation. @throws {SchemaError} `schema-required`, `schema-invalid`. */
  tensorRepresentations(): ReadonlyMap<string, TensorRepresentation>;
  /** What {@link tensorAdapter} is made of. @throws as {@link tensorRepresentations}. */
  tensorAdapterConfig(): TensorAdapterConfig;
  /** Converts this TFXIO's batches to tensors. @throws as {@link tensorRepresentations}, and `not-convertible`. */
  tensorAdapter(): TensorAdapter<Columns>;
  /** All rows as record batches, in file order unless shuffled. Reading begins with the first `next()`. */
  recordBatches(options?: RecordBatchesOptions): AsyncIterable<RecordBatch>;
  /**
   * All rows as record batches that are lent and have to be released, which spares copying them out of the kernels'
   * memory. At most four are out at once: asking for a fifth is `invalid-argument` (`too-many-leases`). No lease outlives
   * the loop, the abort of its signal, or {@link close}. With `workers`, batches lie in memory that threads share: `unsupported` (`shared-memory`) where there is
   * no `SharedArrayBuffer`, as in most web pages; so the default is 0 here. A format that lends no memory gives batches
   * of their own.
   */
  leasedBatches(options?: LeasedBatchesOptions): AsyncIterable<BatchLease>;
  /** The serialized records, one binary list column of one value a row. */
  rawRecords(options?: RawRecordsOptions): AsyncIterable<RecordBatch>;
  /**
   * All rows as plain objects that JSON can carry: integers as numbers where exact, else as decimal strings; bytes as
   * text where they are UTF-8, else `{ base64 }`; NaN and infinities as strings; null apart from `[]`. Typed where the
   * compiler knows the schema, as of `defineSchema`.
   */
  rows(options?: RecordBatchesOptions): AsyncIterable<Row>;
  /**
   * Number of rows, after the filter. Reads nothing where the files tell it; else decodes no column but those of the filter.
   * @throws what reading throws.
   */
  countRows(options?: CountRowsOptions): Promise<number>;
  /** Batched tensors, ready for `model.fitDataset`. Reading begins with the first `next()` of an iterator. */
  dataset(options?: DatasetOptions): Dataset<DatasetElement>;
  /**
   * The same data, of which only the columns behind `tensorNames` are decoded. The adapter's `originalTypeSpecs`
   * stay those of the very first TFXIO. @throws {ArgumentError} `invalid-argument` for an unknown name.
   * {@link UnsupportedError} `unsupported` for datasets of the caller.
   */
  project<Name extends keyof Columns & string>(
    tensorNames: readonly Name[],
  ): Tfxio<Pick<Columns, Name>, ProjectedRow<Row>>;
  /**
   * The rows in two parts, for training and validation, or three with `test`, each row in one of them. Rows are chosen by a seeded hash, so that
   * the parts stay the same over order, epochs, workers, shuffling, and other programs that split the same files.
   * @throws {SchemaError} `schema-mismatch` (`unknown-column`) for a column to split `by` that neither schema nor data has.
   * @throws {ArgumentError} `invalid-argument`. {@link UnsupportedError} `unsupported` (`undeclared-request`) for a format that
   * cannot tell where rows lie in their file, unless `by` names a column.
   */
  split(options: SplitOptions & { readonly test: number }): SplitTfxios<Tfxio<Columns, Row>> & {
    readonly test: Tfxio<Columns, Row>;
  };
  split(options: SplitOptions): SplitTfxios<Tfxio<Columns, Row>>;
  /**
   * What is read, in parts that workers, shards and other engines can read alone. Reads of the plan give what
   * {@link recordBatches} gives. @throws {UnsupportedError} `unsupported` for records and datasets of the caller.
   */
  plan(): Promise<ReadPlan>;
  /**
   * Frees what the reader holds, and releases every lease; loops that are under way reject with `invalid-argument`
   * (`reader-closed`). A projection shares its origin's reader.
   */
  close(): Promise<void>;
}
