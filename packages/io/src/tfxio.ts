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

/** Progress of a read. The counts are totals over all files and epochs so far. */
export interface TfxioProgress {
  /** Number of the current pass over the data, from 0. */
  readonly epoch: number;
  /** URI of the file that the last batch came from. */
  readonly uri: string;
  /** Number of rows that the format has read. It may include rows that a filter or split then drops. */
  readonly numRows: number;
  /** Number of uncompressed bytes read. */
  readonly numBytes: number;
  /** Number of records dropped by a skip policy. */
  readonly numSkipped: number;
}

/** Options of {@link Tfxio.recordBatches}. @see tfx_bsl.tfxio.dataset_options.RecordBatchesOptions */
export interface RecordBatchesOptions {
  /**
   * Number of rows in every batch. Batches may span files and epochs, and only the last batch may be smaller. Needs a schema.
   * Default: the reader's own batches, limited to 4096 rows and to the `batchBytes` of `openTfxio`. Without `shuffle`, these
   * batches never span files.
   */
  readonly batchSize?: number | undefined;
  /** Drops a last batch of fewer than `batchSize` rows. Default false. */
  readonly dropFinalBatch?: boolean | undefined;
  /** Number of passes over the data; `Infinity` never ends. Default 1, unlike tfx_bsl, which repeats forever. */
  readonly numEpochs?: number | undefined;
  /**
   * `true` shuffles the files, then the rows within a buffer. `"all"` shuffles all rows exactly, without a buffer, by reading
   * rows by number. Both give a new order in each epoch and need a schema. Default false. `"all"` needs random access, and cannot
   * be combined with a filter or split. Records of uncompressed TFRecord files are read one by one through an index. The index is
   * the stored one (format option `index: "beside"`), or is built before the first row. Arrow and Parquet files are decoded again
   * for every `shuffleBufferSize` rows. Other formats, and sources that are streams, throw `invalid-argument`
   * (`no-random-access`). Compressed TFRecord files throw `unsupported` (`compressed-index`). Other files that can only be read
   * in order, such as files in the Arrow stream format, throw `unsupported` (`no-random-access`), and so does a read that skips
   * malformed records.
   */
  readonly shuffle?: boolean | "all" | undefined;
  /**
   * Number of rows from which the shuffle draws the next row. Default 10000. With `"all"`, the number of rows in memory at once,
   * at most 2^20. It then has no effect on the order, and the default is 1024 for TFRecord files. For Arrow and Parquet files,
   * the default is the number of rows that take about 256 MiB in memory, but at least 1024.
   */
  readonly shuffleBufferSize?: number | undefined;
  /**
   * Makes the shuffled order reproducible on every machine, unless `sloppyOrdering` is true. Default: a new order for every
   * iteration.
   */
  readonly shuffleSeed?: number | undefined;
  /**
   * Number of files read at the same time. They take turns, one batch at a time. With `shuffle: true`, up to 8 files take turns
   * of up to 64 rows even if `readerNumThreads` is smaller, unless the format shuffles rows itself. Default: the number of
   * `workers`, at least 1. With `workers: "auto"` the default is 1, so that the order is the same on every machine. If
   * `sloppyOrdering` is also set, the default is the number of threads started.
   */
  readonly readerNumThreads?: number | undefined;
  /**
   * Number of worker threads that decode while the calling thread does other work. Each decodes one file at a time, or several if
   * `readerNumThreads` exceeds the number of threads. 0 decodes on the calling thread. A thread stays available for ten seconds
   * after a pass. If `readerNumThreads` is set, the number of workers does not change the order of rows. `"auto"` is the default
   * in Node. It starts one thread for each file read at the same time, but at most 8. It leaves one core free. For gzip data, it
   * uses at most half of the cores, because each worker needs a second thread to inflate its input. It starts none for inputs
   * below 512 MiB, because starting a thread takes about half a second of processor time. It also starts none if the input is
   * bytes in memory, if threads cannot start, or if they cannot repeat the read. In browsers the default is 0, because a bundler
   * might not include the worker's file. With a number above 0, in-memory bytes are copied once, into a Blob that all threads
   * read. Custom byte sources, URLs with their own headers and custom formats without a `module` then throw `unsupported`.
   * @see tfx_bsl.tfxio.dataset_options.TensorFlowDatasetOptions `parser_num_threads`
   */
  readonly workers?: number | "auto" | undefined;
  /** Yields a batch as soon as any of the files read at the same time provides one. Default false: these files take turns. */
  readonly sloppyOrdering?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called before each batch. If it throws, the read fails with `user-function`. */
  readonly onProgress?: ((progress: TfxioProgress) => void) | undefined;
}

/** Options of {@link Tfxio.leasedBatches}. Batches keep the reader's own size, and rows are never shuffled. */
export type LeasedBatchesOptions = Pick<
  RecordBatchesOptions,
  "numEpochs" | "readerNumThreads" | "workers" | "sloppyOrdering" | "signal" | "onProgress"
>;

/** Options of {@link Tfxio.dataset}. @see tfx_bsl.tfxio.dataset_options.TensorFlowDatasetOptions */
export interface DatasetOptions extends Omit<RecordBatchesOptions, "signal"> {
  /** Number of rows in every element; the last element may have fewer. Default 32, as in Keras' `fit`. */
  readonly batchSize?: number | undefined;
  /** See {@link RecordBatchesOptions.shuffle}. Default true, because a dataset is usually used for training. */
  readonly shuffle?: boolean | "all" | undefined;
  /**
   * Number of elements prepared ahead of the consumer. Default 2: one element ready and one in preparation while the model
   * trains.
   */
  readonly prefetchBufferSize?: number | undefined;
  /**
   * Name of the dense tensor to predict. Elements are then `{ xs, ys }`, as `model.fitDataset` expects; `xs` holds the other
   * tensors by name. With `tf`, int64, uint64 and uint32 labels become float32, because sparse categorical losses reject int32.
   * Such a label is an error if float32 cannot hold it exactly. The option `int64` can select another conversion. Without
   * `labelKey`, elements hold all tensors by name.
   */
  readonly labelKey?: string | undefined;
  /**
   * Number of classes. Each label must be an integer from 0 to `oneHot - 1`. It becomes a float32 row of this length, with 1 at
   * the label and 0 elsewhere, as categorical losses require. Needs `labelKey`. Default: labels stay unchanged.
   */
  readonly oneHot?: number | undefined;
  /** The application's TensorFlow.js, whose tensors the elements hold. Without it, elements hold host columns. */
  readonly tf?: TensorFlow | undefined;
  /**
   * Conversion of int64, uint64 and uint32, for all tensors or by name. Default `"int32"`, and `"float32"` for the label. Both
   * reject values that the dtype cannot hold exactly. Needs `tf`.
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
  /** Name of the only column. Default: the `rawRecordColumn` with which the data was opened, or else `raw_record`. */
  readonly columnName?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Training data of any format behind one interface, as record batches and as the tensors made from them. Immutable. Any number of
 * passes may run at the same time, unless the data is a stream or an iterable of records, which allows only one pass.
 * @see RFC 162, "TFXIO"
 */
export interface Tfxio<Columns extends HostColumns = HostColumns, Row = PlainRow> {
  /**
   * Returns the TFMD schema, whether it was passed in, inferred, or known to the format.
   * @throws {SchemaError} `schema-required` without a schema.
   */
  schema(): Schema;
  /**
   * Returns the Arrow schema of every batch, including added columns such as raw records. @throws {SchemaError}
   * `schema-required`.
   */
  arrowSchema(): ArrowSchema;
  /** Returns the representation of each tensor, by name. @throws {SchemaError} `schema-required`, `schema-invalid`. */
  tensorRepresentations(): ReadonlyMap<string, TensorRepresentation>;
  /** Returns the configuration of {@link tensorAdapter}. @throws The errors of {@link tensorRepresentations}. */
  tensorAdapterConfig(): TensorAdapterConfig;
  /**
   * Returns the adapter that converts this TFXIO's batches to tensors. All calls return the same adapter.
   * @throws The errors of {@link tensorRepresentations}, and `not-convertible`. `invalid-argument` if the option `adapter`
   *   returns a value that is not an adapter.
   */
  tensorAdapter(): TensorAdapter<Columns>;
  /** Yields all rows as record batches, by default in file order. Reading begins with the first `next()`. */
  recordBatches(options?: RecordBatchesOptions): AsyncIterable<RecordBatch>;
  /**
   * Yields all rows as leased record batches. A lease avoids copying the batch out of the kernels' memory. The caller must
   * release each lease and may hold at most four. A fifth throws `invalid-argument` (`too-many-leases`). Every lease ends when
   * the loop ends, the signal aborts or the reader is closed. With `workers`, batches lie in memory that threads share. Decoding
   * into such memory is slower, so `workers` defaults to 0 here. Most web pages have no `SharedArrayBuffer`; there, `workers`
   * above 0 throws `unsupported` (`shared-memory`). If a format does not lend memory, the batches own their memory.
   */
  leasedBatches(options?: LeasedBatchesOptions): AsyncIterable<BatchLease>;
  /**
   * Yields the serialized records, as a binary list column with one value per row. For a format without serialized records, such
   * as Parquet, the first `next()` throws `unsupported` (`undeclared-request`).
   */
  rawRecords(options?: RawRecordsOptions): AsyncIterable<RecordBatch>;
  /**
   * Yields all rows as plain objects that JSON can represent. Integers are numbers if exact, otherwise decimal strings. Bytes are
   * text if they are UTF-8, otherwise `{ base64 }`. NaN and infinities are strings. Null and `[]` stay distinct. Rows have a
   * static type if the schema has one, as with `defineSchema`.
   */
  rows(options?: RecordBatchesOptions): AsyncIterable<Row>;
  /**
   * Counts the rows that pass the filter and belong to this part of a split. Reads no rows if an earlier pass has counted them,
   * or if there is neither filter nor split and the files store their row counts. Otherwise decodes only the columns that the
   * filter and the split use. @throws whatever reading throws.
   */
  countRows(options?: CountRowsOptions): Promise<number>;
  /** Returns a dataset of batched tensors, ready for `model.fitDataset`. Reading begins with an iterator's first `next()`. */
  dataset(options?: DatasetOptions): Dataset<DatasetElement>;
  /**
   * Returns a TFXIO of the same data that decodes only the source columns of the tensors `tensorNames`. The `originalTypeSpecs`
   * of its adapter are those of the TFXIO before any projection.
   * @throws {ArgumentError} `invalid-argument` (`unknown-tensor`) for an unknown name.
   * @throws {UnsupportedError} `unsupported` (`caller-data`) for a TFXIO from `datasetTfxio`.
   */
  project<Name extends keyof Columns & string>(
    tensorNames: readonly Name[],
  ): Tfxio<Pick<Columns, Name>, ProjectedRow<Row>>;
  /**
   * Divides the rows into two parts, for training and validation, or three with `test`. Each row is in exactly one part. A seeded
   * hash selects the rows, so the parts do not depend on order, epochs, workers or shuffling. Another program that opens the same
   * URIs and calls `split` with the same options gets the same parts.
   * @throws {SchemaError} `schema-mismatch` (`unknown-column`) when neither schema nor data has the column that `by` names.
   * @throws {ArgumentError} `invalid-argument`.
   * @throws {UnsupportedError} `unsupported` for a TFXIO that is already part of a split; with reason `undeclared-request` for a
   *   format without row positions, unless `by` names a column.
   */
  split(options: SplitOptions & { readonly test: number }): SplitTfxios<Tfxio<Columns, Row>> & {
    readonly test: Tfxio<Columns, Row>;
  };
  split(options: SplitOptions): SplitTfxios<Tfxio<Columns, Row>>;
  /**
   * Returns the read as a plan. Other threads, processes or engines can read its parts independently. Reading all parts yields
   * the rows of {@link recordBatches}.
   * @throws {UnsupportedError} `unsupported` (`caller-data`) for a TFXIO from `recordTfxio` or `datasetTfxio`.
   */
  plan(): Promise<ReadPlan>;
  /**
   * Frees the reader's resources and releases every lease. Running loops reject with `invalid-argument` (`reader-closed`).
   * Projections and parts of a split share one reader, so closing any of them closes all.
   */
  close(): Promise<void>;
}
