import type { ColumnPath, Schema } from "@tfxio/schema";
import type { ByteSource, Position } from "@tfxio/wire";
import type { Kernels, Leased } from "@tfxio/wire/kernels";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";

/** Version of this contract. A format states the one it was written for; the registry refuses others. */
export const CONTRACT_VERSION = 1;

/** Bounds on what input may ask for, so that hostile or broken files fail instead of exhausting memory. */
export interface Limits {
  /** Largest single record in bytes. Default 1 GiB: above it, length fields are more likely damage than data. */
  readonly maxRecordBytes: number;
}

/** How a caller opens a format. */
export interface OpenOptions<Options extends object> {
  /** Overlays {@link Format.defaults}; a key that is not among them is refused. */
  readonly options?: Partial<Options> | undefined;
  /** Overlays the default limits. */
  readonly limits?: Partial<Limits> | undefined;
  /** Cancels opening; a read takes its own signal. */
  readonly signal?: AbortSignal | undefined;
}

/** What is wanted from a reader. */
export interface ReadRequest {
  /**
   * Columns to read, pushed down to the decoder. Absent: all; `[]`: none, of rows that still count. A path that the schema lacks, given or inferred, is
   * `schema-mismatch`; without a schema, a batch lacks the columns that none of its rows has.
   */
  readonly columns?: readonly ColumnPath[] | undefined;
  /** Types and order of the columns. Absent: batches describe themselves and may differ from one another. */
  readonly schema?: Schema | undefined;
  /**
   * What a column that `schema` lacks means: `"drop"` (default), or `"error"`, which is `schema-mismatch`, as it always
   * is with `inferSchema`. Needs `schema`.
   */
  readonly unlisted?: "drop" | "error" | undefined;
  /** Rows per batch; the last of a split may be shorter. Default 4096, and never more than about 32 MB a batch. */
  readonly batchSize?: number | undefined;
  /** Appends a column of this name with each row's serialized record. */
  readonly rawRecordColumn?: string | undefined;
  /**
   * Infer a schema from the first batch, the first so many rows, or a full pass, and hold all batches to it:
   * a column or type that drifts is `schema-mismatch`. Not together with `schema`.
   */
  readonly inferSchema?: "first" | "full" | { readonly rows: number } | undefined;
  /** Kernels to decode with, where the format decodes with any. Default: the best there are. */
  readonly kernels?: Kernels | undefined;
  /** Cancels planning. */
  readonly signal?: AbortSignal | undefined;
}

/** A part of the data that one worker can read alone. JSON-safe; meaningful to the format that made it. */
export interface Split {
  /** Position in {@link ReadPlan.splits}. */
  readonly index: number;
  readonly uri: string;
  /** First and end (exclusive) byte of the stored file, where the format splits files. Absent: the whole file. */
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}

/** Reported before each batch is yielded, and once more when a split ends with records that were left out. */
export interface ReadProgress {
  /** Where reading would go on after this batch. */
  readonly position: Position;
  /** Rows delivered by this read so far. */
  readonly numRows: number;
  /** Uncompressed bytes taken by this read so far. */
  readonly numBytes: number;
  /** Records left out by a skip policy in this read so far. */
  readonly numSkipped: number;
}

/** Options of {@link ReadPlan.read}. */
export interface ReadOptions {
  /** Begins there instead of at the split's first record. */
  readonly from?: Position | undefined;
  /**
   * Stops the read: the iterator rejects with `signal.reason`, unwrapped, once everything was told to close. A source
   * that does not heed the signal is not waited for.
   */
  readonly signal?: AbortSignal | undefined;
  /** What it throws ends the read as `user-function`. */
  readonly onProgress?: ((progress: ReadProgress) => void) | undefined;
}

/** A frozen decision on what is read. Stateless: splits may be read in any order, at once, and again. */
export interface ReadPlan {
  /** Schema of every batch; absent when batches describe themselves. */
  readonly arrowSchema?: ArrowSchema | undefined;
  /** The TFMD schema that batches are held to: the one asked for, or the inferred one. */
  readonly schema?: Schema | undefined;
  /** Ordered, disjoint, and together all of the data. */
  readonly splits: readonly Split[];
  /**
   * Batches of one split, in order; none is empty. Nothing is opened before the first `next()`, and nothing stays
   * open after the last one, an error, or leaving the loop, also while a batch is awaited (`return()`).
   */
  read(split: Split, options?: ReadOptions): AsyncIterable<RecordBatch>;
  /**
   * {@link read}, whose batches may lie in memory that serves others after their release: it spares a copy. A batch
   * that is never released goes with the garbage. Absent: all batches of this format own their memory.
   */
  readLeased?(split: Split, options?: ReadOptions): AsyncIterable<Leased<RecordBatch>>;
}

/** Opened sources. */
export interface Reader {
  plan(request?: ReadRequest): Promise<ReadPlan>;
  /** Frees what the reader holds; reads in progress fail. Safe to call twice. */
  close(): Promise<void>;
}

/** Result of {@link Format.write}. */
export interface WriteSummary {
  readonly uris: readonly string[];
  readonly numRows: number;
  /** Bytes as stored. */
  readonly numBytes: number;
}

/** How a caller writes a format. */
export interface WriteOptions<Options extends object> {
  /** Overlays {@link Format.defaults}; a key that is not among them is refused. */
  readonly options?: Partial<Options> | undefined;
  /**
   * What columns mean whose types do not tell: its representations say how nested columns are stored. A format that
   * stores columns as they are refuses it as `unsupported`.
   */
  readonly schema?: Schema | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A physical format of training data, as {@link defineFormat} makes it. */
export interface Format<Options extends object = object> {
  readonly contractVersion: number;
  /** Kebab-case name, as callers ask for it. */
  readonly id: string;
  /** Lower-case file name endings with their dot. */
  readonly extensions: readonly string[];
  /** Every option the format knows, with the value it has when the caller says nothing. */
  readonly defaults: Options;
  /**
   * URL of an ES module that worker threads import to get this format: it exports it, under any name, and is known by
   * `id`. In the module that defines the format that is `import.meta.url`. A worker opens the same sources with
   * the same options, plans the same request, and finds the same splits; each batch it is given is given up: its
   * buffers are transferred. Absent: the format reads on the calling thread only.
   */
  readonly module?: string | undefined;
  /** True if `head`, the first bytes of a source (uncompressed, up to 4096), can only be this format. */
  sniff?(this: void, head: Uint8Array): boolean;
  /**
   * @throws {ArgumentError} `invalid-argument` for no source, an unknown option or a limit that is no positive integer.
   * Errors of the sources and of the data may come here or wait for the first read.
   */
  open(sources: readonly ByteSource[], options?: OpenOptions<Options>): Promise<Reader>;
  /** Absent: the format cannot be written. Writes to a temporary name and renames, so a broken write leaves nothing. */
  write?(
    this: void,
    batches: AsyncIterable<RecordBatch>,
    target: string,
    options?: WriteOptions<Options>,
  ): Promise<WriteSummary>;
}

/** A format that can be written. */
export type WritableFormat<Options extends object = object> = Format<Options> &
  Required<Pick<Format<Options>, "write">>;

/** What a format's own `open` gets: everything checked and filled in. */
export interface OpenContext<Options extends object> {
  readonly options: Options;
  readonly limits: Limits;
  readonly signal?: AbortSignal | undefined;
}

/** What a format's own `plan` gets: a request of known keys and sound values. */
export interface PlanRequest extends Omit<ReadRequest, "batchSize"> {
  readonly batchSize: number;
}

/** The reader that a format's own `open` gives; {@link defineFormat} makes a {@link Reader} of it. */
export interface FormatReader {
  /** Asked for something it cannot do (`inferSchema`, say), it throws `unsupported` instead of ignoring it. */
  plan(request: PlanRequest): Promise<ReadPlan>;
  /** Called once. Absent: nothing to free. */
  close?(): Promise<void>;
}

/** What a format's own `write` gets. */
export interface WriteContext<Options extends object> {
  readonly options: Options;
  readonly schema?: Schema | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * What a third party implements: plain functions in an object. Tensors, datasets, workers and Beam are derived
 * above it.
 */
export interface FormatSpec<Options extends object> {
  readonly id: string;
  readonly extensions: readonly string[];
  /** An object with a key for every option; `{}` when there is none. */
  readonly defaults: Options;
  /** The version that the format was written for. Default: that of the installed `@tfxio/format`. */
  readonly contractVersion?: number | undefined;
  /** See {@link Format.module}. */
  readonly module?: string | undefined;
  sniff?(this: void, head: Uint8Array): boolean;
  open(sources: readonly ByteSource[], context: OpenContext<Options>): Promise<FormatReader>;
  write?(
    this: void,
    batches: AsyncIterable<RecordBatch>,
    target: string,
    context: WriteContext<Options>,
  ): Promise<WriteSummary>;
}
