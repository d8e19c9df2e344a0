import type { Schema } from "@tfxio/schema";
import type { Json, Position } from "@tfxio/wire";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";

/** A part of the data that one worker can read alone. JSON-safe, and meaningful only to the format that made it. */
export interface Split {
  /** Position in {@link ReadPlan.splits}. Parts made by {@link ReadPlan.subdivide} keep the index of their split. */
  readonly index: number;
  readonly uri: string;
  /** First byte (inclusive) and end (exclusive) in the stored file, if the format splits files. Absent: the whole file. */
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  /** Anything else that the format needs to find the part again. */
  readonly detail?: Json | undefined;
  /** Rows before any filter, if the format knows the number without reading. */
  readonly numRows?: number | undefined;
  /** Stored bytes, if known. */
  readonly numBytes?: number | undefined;
}

/** Reported before each batch, and once more if a split ends with skipped records. */
export interface ReadProgress {
  /** Position at which a read resumes after this batch. */
  readonly position: Position;
  /** Rows delivered by this read so far. */
  readonly numRows: number;
  /** Uncompressed bytes consumed by this read so far. */
  readonly numBytes: number;
  /** Records skipped by policy in this read so far. */
  readonly numSkipped: number;
}

/** Options of a shuffled read. */
export interface ShuffledRead {
  /** Integer of at least 0. Equal seeds give equal orders, on every machine and for every batch size. */
  readonly seed: number;
  /** Number of rows that each draw chooses from. Smaller if they exceed the format's own bound on memory. */
  readonly numRows: number;
  /** Other splits of the plan to read concurrently, so that their rows mix. Default none. */
  readonly with?: readonly Split[] | undefined;
  /** Appends an Int32 column of this name: {@link Split.index} of each row's split. */
  readonly splitIndexColumn?: string | undefined;
}

/** Options of {@link ReadPlan.read}. */
export interface ReadOptions {
  /** Resumes at this position. Default: the split's first row. */
  readonly from?: Position | undefined;
  /** Rows in random order. Declared by `reads.shuffle`; default: in file order. */
  readonly shuffle?: ShuffledRead | undefined;
  /**
   * Stops the read. The iterator rejects with the unwrapped `signal.reason` after asking everything to close. It does not
   * wait for a source that ignores the signal.
   */
  readonly signal?: AbortSignal | undefined;
  /** An error that it throws ends the read as `user-function`. */
  readonly onProgress?: ((progress: ReadProgress) => void) | undefined;
}

/**
 * Rows of a split that can be read by their numbers, such as the records of a file with an index. Plain data and a
 * function.
 */
export interface SplitRows {
  /** At most 2^32. */
  readonly numRows: number;
  /**
   * Batches of exactly these rows of the split, counted from 0, in this order; none is empty. The cost of reading a row does not
   * depend on the other rows.
   * @param rows ascending, each once, all below `numRows`.
   */
  read(
    this: void,
    rows: Uint32Array,
    options?: { readonly signal?: AbortSignal | undefined },
  ): AsyncIterable<RecordBatch>;
}

/** A frozen decision on what to read. Stateless: splits can be read in any order, concurrently and repeatedly. */
export interface ReadPlan {
  /** Schema of every batch; absent when batches describe themselves. */
  readonly arrowSchema?: ArrowSchema | undefined;
  /**
   * The schema, if the format knows it and the request has none. Absent: the schema must be given or inferred.
   */
  readonly schema?: Schema | undefined;
  /**
   * Extent to which the request's filter is applied. `"no"` (default): not at all. `"splits"`: parts without a
   * match are skipped. `"rows"`: only matching rows are yielded.
   */
  readonly filtered?: "no" | "splits" | "rows" | undefined;
  /** Ordered and disjoint. Together they cover all data that the filter does not rule out. */
  readonly splits: readonly Split[];
  /**
   * Cuts a split into smaller ones that together yield the same rows in the same order. Called late, often by the reader of
   * the split, so that planning does not have to open every file. Absent: splits cannot be cut further.
   */
  subdivide?(
    split: Split,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<readonly Split[]>;
  /**
   * Opens the rows of a whole split for reading by number. Called once for each split whose rows are needed.
   * Declared by `reads.randomAccess: "rows"`. Rejects as `unsupported` for a split that can only be read in order,
   * such as a compressed one.
   */
  openRows?(split: Split, options?: { readonly signal?: AbortSignal | undefined }): Promise<SplitRows>;
  /**
   * Batches of one split, in order; none is empty. Nothing is opened before the first `next()`, and nothing stays open
   * after the last batch, an error, or `return()`, even while a batch is pending.
   */
  read(split: Split, options?: ReadOptions): AsyncIterable<RecordBatch>;
}
