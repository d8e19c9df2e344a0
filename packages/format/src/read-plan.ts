import type { Schema } from "@tfxio/schema";
import type { Json, Position } from "@tfxio/wire";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";

/** A part of the data that one worker can read alone. It is JSON-safe. Only the format that made it can interpret it. */
export interface Split {
  /** Position in {@link ReadPlan.splits}. Parts made by {@link ReadPlan.subdivide} keep the index of their split. */
  readonly index: number;
  readonly uri: string;
  /**
   * First byte (inclusive) and end (exclusive) in the stored file, if the format cuts files at byte offsets. A missing bound is
   * the start or end of the file.
   */
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  /** Anything else that the format needs to find the part again. */
  readonly detail?: Json | undefined;
  /** Number of rows before any filter, if the format knows it without reading the data. */
  readonly numRows?: number | undefined;
  /** Number of stored bytes, if known. */
  readonly numBytes?: number | undefined;
}

/** Progress of one read. It is reported before each batch, and once more if a split ends with skipped records. */
export interface ReadProgress {
  /** The position after this batch. Pass it as `from` to resume the read. */
  readonly position: Position;
  /** Number of rows that this read has delivered, including this batch. */
  readonly numRows: number;
  /** Number of uncompressed bytes that this read has consumed. */
  readonly numBytes: number;
  /** Number of records that this read has skipped because an option told it to. */
  readonly numSkipped: number;
}

/** Options of a shuffled read. */
export interface ShuffledRead {
  /** An integer of at least 0. The same seed gives the same order, on every machine and for every batch size. */
  readonly seed: number;
  /** Number of rows from which each row is drawn. The format uses fewer if that many would exceed its bound on memory. */
  readonly numRows: number;
  /** Other splits of the plan, which are read concurrently so that their rows mix. Default: none. */
  readonly with?: readonly Split[] | undefined;
  /** Name of an Int32 column to append. It holds the {@link Split.index} of each row's split. */
  readonly splitIndexColumn?: string | undefined;
}

/** Options of {@link ReadPlan.read}. */
export interface ReadOptions {
  /** The position at which the read starts. Default: the split's first row. */
  readonly from?: Position | undefined;
  /** Yields the rows in random order. Default: in file order. Declared by `reads.shuffle`. */
  readonly shuffle?: ShuffledRead | undefined;
  /**
   * Stops the read. The iterator closes what it has opened and rejects with the unwrapped `signal.reason`. It does not wait for a
   * source that ignores the signal.
   */
  readonly signal?: AbortSignal | undefined;
  /** Called with the progress of the read. If it throws, the read fails with `user-function`. */
  readonly onProgress?: ((progress: ReadProgress) => void) | undefined;
}

/**
 * The rows of a split that can be read by their numbers, such as the records of a file with an index.
 */
export interface SplitRows {
  /** Number of rows in the split, at most 2^32. */
  readonly numRows: number;
  /**
   * Yields batches that together hold exactly the requested rows, in order. No batch is empty. The cost of reading a row does not
   * depend on the other rows of the split.
   * @param rows Row numbers within the split, from 0, ascending and distinct, all below `numRows`.
   */
  read(
    this: void,
    rows: Uint32Array,
    options?: { readonly signal?: AbortSignal | undefined },
  ): AsyncIterable<RecordBatch>;
}

/** An immutable plan of a read. It has no state, so its splits can be read in any order, concurrently and repeatedly. */
export interface ReadPlan {
  /** Schema of every batch, without `splitIndexColumn`; absent if batches describe themselves and may differ. */
  readonly arrowSchema?: ArrowSchema | undefined;
  /**
   * The TFMD schema, if the format knows it and the request has none. If absent, the schema must be passed in or inferred.
   */
  readonly schema?: Schema | undefined;
  /**
   * Extent to which the plan applies the request's filter. `"no"`, the default: not at all. `"splits"`: the plan may skip
   * parts without a match. `"rows"`: the plan yields only matching rows.
   */
  readonly filtered?: "no" | "splits" | "rows" | undefined;
  /** Ordered and disjoint. Together they cover all data that the filter does not rule out. */
  readonly splits: readonly Split[];
  /**
   * Cuts a split into smaller splits that together yield the same rows in the same order. It is often called just before the
   * split is read, by the worker that reads it, so that planning does not have to open every file. Absent if splits cannot be cut
   * further.
   */
  subdivide?(
    split: Split,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<readonly Split[]>;
  /**
   * Opens the rows of a whole split for reading by number. Called once for each split whose rows are needed.
   * Declared by `reads.randomAccess: "rows"`. Rejects with `unsupported` for a split that can only be read in order,
   * such as a compressed file.
   */
  openRows?(split: Split, options?: { readonly signal?: AbortSignal | undefined }): Promise<SplitRows>;
  /**
   * Yields the batches of one split, in order. No batch is empty. The first `next()` opens the source. The source is closed after
   * the last batch, after an error, and after `return()`, even while a batch is pending.
   */
  read(split: Split, options?: ReadOptions): AsyncIterable<RecordBatch>;
}
