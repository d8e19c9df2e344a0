import type { Schema } from "@tfxio/schema";
import type { Json, Position } from "@tfxio/wire";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";

/** A part of the data that one worker can read alone. JSON-safe; meaningful to the format that made it. */
export interface Split {
  /** Position in {@link ReadPlan.splits}. Parts made by {@link ReadPlan.subdivide} keep the index of their split. */
  readonly index: number;
  readonly uri: string;
  /** First and end (exclusive) byte of the stored file, where the format splits files. Absent: the whole file. */
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  /** Whatever else the format needs to find the part again. */
  readonly detail?: Json | undefined;
  /** Rows before any filter, where the format knows them without reading. */
  readonly numRows?: number | undefined;
  /** Stored bytes, where they are known. */
  readonly numBytes?: number | undefined;
}

/** Reported before each batch is yielded, and once more when a split ends with records that were left out. */
export interface ReadProgress {
  /** Where reading would resume after this batch. */
  readonly position: Position;
  /** Rows delivered by this read so far. */
  readonly numRows: number;
  /** Uncompressed bytes taken by this read so far. */
  readonly numBytes: number;
  /** Records left out by a skip policy in this read so far. */
  readonly numSkipped: number;
}

/** How a shuffled read draws its rows. */
export interface ShuffledRead {
  /** Integer of at least 0. Equal seeds give equal orders, on every machine and for every batch size. */
  readonly seed: number;
  /** Rows that each draw chooses from, or fewer when they take more memory than the format allows itself. */
  readonly numRows: number;
  /** Further splits of the plan that are read side by side with the first, so that their rows mix. Default none. */
  readonly with?: readonly Split[] | undefined;
  /** Appends an Int32 column of this name: {@link Split.index} of each row's split. */
  readonly splitIndexColumn?: string | undefined;
}

/** Options of {@link ReadPlan.read}. */
export interface ReadOptions {
  /** Resumes there instead of beginning with the split's first row. */
  readonly from?: Position | undefined;
  /** Rows in random order. Declared by `reads.shuffle`; default: in file order. */
  readonly shuffle?: ShuffledRead | undefined;
  /**
   * Stops the read: the iterator rejects with `signal.reason`, unwrapped, once everything was told to close. A source
   * that ignores the signal is not waited for.
   */
  readonly signal?: AbortSignal | undefined;
  /** What it throws ends the read as `user-function`. */
  readonly onProgress?: ((progress: ReadProgress) => void) | undefined;
}

/** A frozen decision on what is read. Stateless: splits may be read in any order, at once, and again. */
export interface ReadPlan {
  /** Schema of every batch; absent when batches describe themselves. */
  readonly arrowSchema?: ArrowSchema | undefined;
  /**
   * What the columns mean, where the format knows it of itself and the request has no schema. Absent: it has to be handed in
   * or inferred.
   */
  readonly schema?: Schema | undefined;
  /**
   * How far the request's filter is applied: `"no"` (default); `"splits"`, parts without a match are left out; `"rows"`,
   * only matching rows come.
   */
  readonly filtered?: "no" | "splits" | "rows" | undefined;
  /** Ordered, disjoint, and together all of the data that the filter did not rule out. */
  readonly splits: readonly Split[];
  /**
   * Cuts a split into smaller ones that together give the same rows in the same order. Called late, often by whoever
   * reads the split, so that planning need not open every file. Absent: splits are as small as they get.
   */
  subdivide?(
    split: Split,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<readonly Split[]>;
  /**
   * Batches of one split, in order; none is empty. Nothing is opened before the first `next()`, and nothing stays open
   * after the last batch, an error, or leaving the loop, even while a batch is awaited (`return()`).
   */
  read(split: Split, options?: ReadOptions): AsyncIterable<RecordBatch>;
}
