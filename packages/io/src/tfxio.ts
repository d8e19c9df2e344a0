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

/** Progress of a pass over the data. Counts accumulate over epochs. */
export interface TfxioProgress {
  /** Number of the pass over the data, from 0. */
  readonly epoch: number;
  /** The file that the last batch came from. */
  readonly uri: string;
  readonly numRows: number;
  /** Number of uncompressed bytes read. */
  readonly numBytes: number;
  /** Number of records dropped by a skip policy. */
  readonly numSkipped: number;
}

/** Options of {@link Tfxio.recordBatches}. @see tfx_bsl.tfxio.dataset_options.RecordBatchesOptions */
export interface RecordBatchesOptions {
  /**
   * Number of rows in every batch. Batches continue across files and epochs, and only the last one may be smaller. Needs a
   * schema. Default: the reader's own batches of up to 4096 rows or about 32 MB, which never span files.
   */
  readonly batchSize?: number | undefined;
  /** Drops a last batch of fewer than `batchSize` rows. Default false. */
  readonly dropFinalBatch?: boolean | undefined;
  /** Number of passes over the data; `Infinity` never ends. Default 1; tfx_bsl repeats forever. */
  readonly numEpochs?: number | undefined;
  /**
   * True: shuffles files, then rows within a buffer. `"all"`: an exact shuffle of all rows, which reads rows by
   * number. Both give a new order in each epoch. Needs a schema. Default false.
   * `"all"` needs random access, without a filter or split. Records of uncompressed TFRecord files are read one by one
   * through an index. It is the file's own index (option `index: "beside"`), or is built before the first row. Arrow and
   * Parquet files are decoded once for every `shuffleBufferSize` rows. Other data throws `invalid-argument`
   * (`no-random-access`).
   */
  readonly shuffle?: boolean | "all" | undefined;
  /**
   * Number of rows that the shuffle draws from. Default 10000. With `"all"`, the number of rows in memory at once,
   * which does not change the order. Default: 1024 single records, or up to 256 MB of rows of Arrow and Parquet
   * files.
   */
  readonly shuffleBufferSize?: number | undefined;
  /** Makes the order reproducible on every machine, unless `sloppyOrdering` is true. Default: a new order every time. */
  readonly shuffleSeed?: number | undefined;
  /**
   * Number of files read at the same time. They take turns batch by batch. Default: the number of `workers`, at least 1. With
   * `workers: "auto"` it is 1, so that the order is the same on every machine. If `sloppyOrdering` is also set, it is the
   * number of threads started.
   */
  readonly readerNumThreads?: number | undefined;
  /**
   * Number of worker threads that decode while the calling thread does other work. Each decodes one file at a time, or
   * several if `readerNumThreads` is larger. 0 decodes on the calling thread. A thread stays available for ten
   * seconds after a pass. If `readerNumThreads` is fixed, the number of workers does not change the order of rows.
   * `"auto"` is the default in Node. It starts one thread for each file read at the same time, at most 8, and at
   * most one less than the number of cores (for gzip, half the cores). It starts none for inputs below 512 MiB,
   * because starting a thread takes about half a second of processor time. It also starts none for bytes in memory,
   * or when workers cannot start or cannot repeat the read. In browsers the default is 0, because a bundler may
   * not include the worker's file.
   * With a number, in-memory bytes are copied once, into a Blob that all threads read. Custom byte sources, URLs
   * with their own headers and formats without a `module` are then `unsupported`.
   * @see tfx_bsl.tfxio.dataset_options.TensorFlowDatasetOptions `parser_num_threads`
   */
  readonly workers?: number | "auto" | undefined;
  /** Yields the batches of several readers as they arrive instead of in turns. Default false. */
  readonly sloppyOrdering?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: TfxioProgress) => void) | undefined;
}

/** Options of {@link Tfxio.leasedBatches}. Batches keep the reader's size and the order of the files. */
export type LeasedBatchesOptions = Pick<
  RecordBatchesOptions,
  "numEpochs" | "readerNumThreads" | "workers" | "sloppyOrdering" | "signal" | "onProgress"
>;

/** Options of {@link Tfxio.dataset}. @see tfx_bsl.tfxio.dataset_options.TensorFlowDatasetOptions */
export interface DatasetOptions extends Omit<RecordBatchesOptions, "signal"> {
  /** Number of rows in every element. Default 32, as in Keras' `fit`. */
  readonly batchSize?: number | undefined;
  /** Default true, unlike {@link RecordBatchesOptions.shuffle}, because a dataset is usually for training. */
  readonly shuffle?: boolean | "all" | undefined;
  /** Number of elements prepared ahead of the consumer. Default 2: one in use, and one in preparation while the model trains. */
  readonly prefetchBufferSize?: number | undefined;
  /**
   * Name of the dense tensor to predict. Elements are then `{ xs, ys }`, as `model.fitDataset` expects; `xs` holds the other
   * tensors by name. With `tf`, 64-bit integer labels become float32 unless `int64` overrides it, because sparse categorical
   * losses reject int32. An inexact label is an error. Without `labelKey`, elements hold all tensors by name.
   */
  readonly labelKey?: string | undefined;
  /**
   * Number of classes. Each label, an integer from 0, becomes a float32 row of this length, with 1 at the label
   * and 0 elsewhere, as categorical losses require. Needs `labelKey`. Default: labels stay unchanged.
   */
  readonly oneHot?: number | undefined;
  /** The application's TensorFlow.js, whose tensors the elements hold. Without it, elements hold host columns. */
  readonly tf?: TensorFlow | undefined;
  /**
   * Conversion of 64-bit integers, for all tensors or by name. Default `"int32"`, and `"float32"` for the label. Both reject
   * values that do not fit exactly. Needs `tf`.
   */
  readonly int64?: PerTensor<Int64Policy> | undefined;
  /** Conversion of float64, for all tensors or by name. Default `"float32"`, which rejects inexact values. Needs `tf`. */
  readonly float64?: PerTensor<Float64Policy> | undefined;
}

/** Tensors by name; without `tf`, host columns by name. */
export type TensorsByName = Record<string, AnyTensor | HostColumn>;

/** An element of {@link Tfxio.dataset}. With `labelKey` it has the form that `model.fitDataset` expects. */
export type DatasetElement =
  | TensorsByName
  | { readonly xs: TensorsByName; readonly ys: AnyTensor | HostColumn };

/** A row of a projection. All members are optional, because the columns that the tensors need are unknown at compile time. */
export type ProjectedRow<Row> = string extends keyof Row ? Row : Partial<Row>;

/** Result of {@link Tfxio.split}. */
export interface SplitTfxios<Part> {
  readonly train: Part;
  readonly validation: Part;
}

/** Options of {@link Tfxio.countRows}. */
export type CountRowsOptions = Pick<RecordBatchesOptions, "signal" | "onProgress">;

/** Options of {@link Tfxio.rawRecords}. */
export interface RawRecordsOptions {
  /** Name of the only column. Default: `rawRecordColumn` from opening, else `raw_record`. */
  readonly columnName?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Training data of any format behind one interface: record batches, and tensors derived from them. Immutable; any number of
 * passes may run at once.
 * @see RFC 162, "TFXIO"
 */
export interface Tfxio<Columns extends HostColumns = HostColumns, Row = PlainRow> {
  /** Returns the TFMD schema, given or inferred. @throws {SchemaError} `schema-required` without one. */
  schema(): Schema;
  /** Returns the Arrow schema of every batch, including the raw record column. @throws {SchemaError} `schema-required`. */
  arrowSchema(): ArrowSchema;
  /** Returns the representation of each tensor, by name. @throws {SchemaError} `schema-required`, `schema-invalid`. */
  tensorRepresentations(): ReadonlyMap<string, TensorRepresentation>;
  /** Returns the configuration of {@link tensorAdapter}. @throws as {@link tensorRepresentations}. */
  tensorAdapterConfig(): TensorAdapterConfig;
  /**
   * Returns the adapter from this TFXIO's batches to tensors. @throws as {@link tensorRepresentations}, and `not-convertible`.
   */
  tensorAdapter(): TensorAdapter<Columns>;
  /** Yields all rows as record batches, in file order unless shuffled. Reading begins with the first `next()`. */
  recordBatches(options?: RecordBatchesOptions): AsyncIterable<RecordBatch>;
  /**
   * Yields all rows as leased record batches, which avoids copying them out of the kernels' memory. The caller must
   * release each lease and may hold at most four. A fifth throws `invalid-argument` (`too-many-leases`). No lease
   * outlives the loop, the abort of its signal, or {@link close}. With `workers`, batches lie in memory that
   * threads share. That throws `unsupported` (`shared-memory`) without `SharedArrayBuffer`, as in most web pages, so
   * `workers` defaults to 0 for leased batches. If a format does not lend memory, the batches own their memory.
   */
  leasedBatches(options?: LeasedBatchesOptions): AsyncIterable<BatchLease>;
  /** Yields the serialized records, as a binary list column with one value per row. */
  rawRecords(options?: RawRecordsOptions): AsyncIterable<RecordBatch>;
  /**
   * Yields all rows as plain objects that JSON can represent. Integers are numbers if exact, otherwise decimal strings. Bytes
   * are text if they are UTF-8, otherwise `{ base64 }`. NaN and infinities are strings. Null and `[]` differ. Rows are
   * typed if the schema is typed, as with `defineSchema`.
   */
  rows(options?: RecordBatchesOptions): AsyncIterable<Row>;
  /**
   * Counts the rows that pass the filter. Reads no rows if the files store their number and there is no filter;
   * otherwise decodes only the columns that the filter uses. @throws whatever reading throws.
   */
  countRows(options?: CountRowsOptions): Promise<number>;
  /** Returns a dataset of batched tensors, ready for `model.fitDataset`. Reading begins with an iterator's first `next()`. */
  dataset(options?: DatasetOptions): Dataset<DatasetElement>;
  /**
   * Returns a TFXIO of the same data that decodes only the columns that `tensorNames` need. The adapter keeps the
   * `originalTypeSpecs` of the first TFXIO.
   * @throws {ArgumentError} `invalid-argument` (`unknown-tensor`) for an unknown name.
   * @throws {UnsupportedError} `unsupported` for the caller's datasets.
   */
  project<Name extends keyof Columns & string>(
    tensorNames: readonly Name[],
  ): Tfxio<Pick<Columns, Name>, ProjectedRow<Row>>;
  /**
   * Divides the rows into two parts, for training and validation, or three with `test`. Each row is in exactly one
   * part. A seeded hash selects the rows, so the parts do not depend on order, epochs, workers or shuffling. Other
   * programs that split the same files get the same parts.
   * @throws {SchemaError} `schema-mismatch` (`unknown-column`) when neither schema nor data has the column `by`.
   * @throws {ArgumentError} `invalid-argument`.
   * @throws {UnsupportedError} `unsupported` (`undeclared-request`) for a format without row positions, unless
   * `by` names a column.
   */
  split(options: SplitOptions & { readonly test: number }): SplitTfxios<Tfxio<Columns, Row>> & {
    readonly test: Tfxio<Columns, Row>;
  };
  split(options: SplitOptions): SplitTfxios<Tfxio<Columns, Row>>;
  /**
   * Returns the read as a plan, in parts that workers, shards and other engines can read independently. Reading all parts
   * yields the rows of {@link recordBatches}.
   * @throws {UnsupportedError} `unsupported` for the caller's records and datasets.
   */
  plan(): Promise<ReadPlan>;
  /**
   * Frees the reader's resources and releases every lease. Running loops reject with `invalid-argument` (`reader-closed`). A
   * projection shares the reader of its origin.
   */
  close(): Promise<void>;
}
