import type { ColumnPath, Schema } from "@tfxio/schema";
import type { ByteSource } from "@tfxio/wire";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";

/** Version of this contract. A format states the one it was written for; the registry refuses others. */
export const CONTRACT_VERSION = 1;

/** Bounds on what input may ask for, so that hostile or broken files fail instead of exhausting memory. */
export interface Limits {
  /** Largest single record in bytes. Default 1 GiB: above it, length fields are more likely damage than data. */
  readonly maxRecordBytes: number;
}

/** What a format is opened with. */
export interface OpenContext<Options> {
  /** The format's defaults, overlaid with the caller's options. */
  readonly options: Options;
  readonly limits: Limits;
  readonly signal?: AbortSignal | undefined;
}

/** What is wanted from a reader. */
export interface ReadRequest {
  /** Columns to read, pushed down to the decoder. Absent: all. A path that the data lacks is `schema-mismatch`. */
  readonly columns?: readonly ColumnPath[] | undefined;
  /** Types and order of the columns. Absent: batches describe themselves and may differ from one another. */
  readonly schema?: Schema | undefined;
  /** Rows per batch; the last of a split may be shorter. Default 4096, and never more than about 32 MB a batch. */
  readonly batchSize?: number | undefined;
  /** Appends a column of this name with each row's serialized record. */
  readonly rawRecordColumn?: string | undefined;
  /**
   * Without a schema: infer one from the first batch, the first so many rows, or a full pass, and hold all
   * batches to it: a column or type that drifts is `schema-mismatch`.
   */
  readonly inferSchema?: "first" | "full" | { readonly rows: number } | undefined;
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

/** Where to go on in a split: the record that the next batch begins with. JSON-safe. */
export interface Position {
  /** Records of the split already delivered (or skipped). */
  readonly recordIndex: number;
  /** Offset of the next record in the split's uncompressed bytes: lets an uncompressed file be sought. */
  readonly byteOffset?: number | undefined;
}

/** Reported after each batch, before it is yielded. */
export interface ReadProgress {
  /** Where reading would go on after this batch. */
  readonly position: Position;
  /** Rows delivered from this split so far. */
  readonly numRows: number;
  /** Uncompressed bytes of this split taken so far. */
  readonly numBytes: number;
  /** Records left out so far by a skip policy. */
  readonly numSkipped: number;
}

/** Options of {@link ReadPlan.read}. */
export interface ReadOptions {
  readonly from?: Position | undefined;
  readonly signal?: AbortSignal | undefined;
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
  /** Batches of one split, in order. Nothing is opened before the first `next()`; leaving the loop closes it. */
  read(split: Split, options?: ReadOptions): AsyncIterable<RecordBatch>;
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

/** Options that every writer takes. */
export interface WriteOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * A physical format of training data. Plain functions in an object, made by {@link defineFormat}: third parties
 * implement this, and tensors, datasets, workers and Beam are derived above it.
 */
export interface Format<Options = unknown> {
  readonly contractVersion: typeof CONTRACT_VERSION;
  /** Kebab-case name, as callers ask for it. */
  readonly id: string;
  /** File name endings with their dot, longest first where one ends another. */
  readonly extensions: readonly string[];
  readonly defaults: Options;
  /** URL of a module that worker threads import to get this format. Without it, it reads on the calling thread. */
  readonly module?: string | undefined;
  /** True if `head`, the first bytes of a source (uncompressed, up to 4096), can only be this format. */
  sniff?(head: Uint8Array): boolean;
  /** @throws errors of the sources; format errors may also wait for the first read. */
  open(sources: readonly ByteSource[], context: OpenContext<Options>): Promise<Reader>;
  /** Writes to a temporary name and renames, so that a broken write leaves nothing behind. */
  write?(
    batches: AsyncIterable<RecordBatch>,
    target: string,
    options: Partial<Options> & WriteOptions,
  ): Promise<WriteSummary>;
}
