import type { ColumnPath, Predicate, Schema } from "@tfxio/schema";

/**
 * Form of a format's batches. `"lists"`: each column is a list of values, as in tf.Examples. `"stored"`: the types of the
 * file, which `toListColumns` of `arrow-encoding` converts to lists.
 */
export type ColumnForm = "stored" | "lists";

/**
 * A request to a reader. Every format honours `columns`, `schema`, `unlisted`, `batchSize` and `signal`. `isInferred` and
 * `isSample` are hints. The other fields are honoured only if the format declares them in {@link FormatReads}.
 */
export interface ReadRequest {
  /**
   * Columns to read, pushed down to the decoder. Absent: all; `[]`: none, but rows still count. A path that the schema
   * lacks is `schema-mismatch`; without a schema, a batch omits columns that none of its rows has.
   */
  readonly columns?: readonly ColumnPath[] | undefined;
  /** Types and order of the columns. Absent: batches describe themselves and may differ from one another. */
  readonly schema?: Schema | undefined;
  /**
   * True if the schema was inferred from this data. It then describes the columns but narrows none: numbers keep the width that
   * the format stores. A hint; default false.
   */
  readonly isInferred?: boolean | undefined;
  /** Treatment of columns outside `schema`: `"drop"` (default), or `"error"`, a `schema-mismatch`. Needs `schema`. */
  readonly unlisted?: "drop" | "error" | undefined;
  /** Rows per batch; the last batch of a split may be shorter. Default 4096. */
  readonly batchSize?: number | undefined;
  /**
   * Form of the columns. `"stored"`: a column with at most one value per row is flat, with null for rows without a value.
   * Default: the form that the format declares. Declared by `reads.columnForm`.
   */
  readonly columnForm?: ColumnForm | undefined;
  /** Ends a batch at about this many bytes, even if it has few rows. Default 32 MiB. Declared by `reads.batchBytes`. */
  readonly batchBytes?: number | undefined;
  /** Appends a column of this name with each row's serialized record. Declared by `reads.rawRecordColumn`. */
  readonly rawRecordColumn?: string | undefined;
  /**
   * Appends an Int64 column of this name: each row's position in its file, unique and ascending regardless of the splits. The
   * format defines it as a byte offset or a row number. Declared by `reads.rowPositionColumn`.
   */
  readonly rowPositionColumn?: string | undefined;
  /**
   * Rows to keep. Its columns need not be among `columns`. {@link ReadPlan.filtered} reports how far the plan applies it; the
   * caller applies the rest. Declared by `reads.filter`.
   */
  readonly filter?: Predicate | undefined;
  /** Desired size of a split in bytes: a hint. Declared by `reads.subdivide`. */
  readonly splitBytes?: number | undefined;
  /**
   * True if the batches only serve to infer a schema. Format options that need a schema then do not apply. A hint; default false.
   */
  readonly isSample?: boolean | undefined;
  /** Cancels planning. */
  readonly signal?: AbortSignal | undefined;
}

/** The fields that a format honours beyond those that every format honours. Requests with other fields are refused. */
export interface FormatReads {
  /** `"splits"`: leaves out splits, or parts of splits, without a matching row; `"rows"`: yields matching rows only. */
  readonly filter?: "splits" | "rows" | undefined;
  readonly rawRecordColumn?: true | undefined;
  readonly rowPositionColumn?: true | undefined;
  /** Honours `splitBytes`, when planning or through {@link ReadPlan.subdivide}. */
  readonly subdivide?: true | undefined;
  /** Reads rows in random order: {@link ReadOptions.shuffle}. */
  readonly shuffle?: true | undefined;
  readonly batchBytes?: true | undefined;
  /**
   * Supports an exact shuffle. `"rows"`: {@link ReadPlan.openRows} reads single rows. `"parts"`: without `splitBytes`, {@link
   * ReadPlan.subdivide} cuts a split into its smallest parts and sets `numRows` on each. Splits that can only be read in order
   * are exempt.
   */
  readonly randomAccess?: "rows" | "parts" | undefined;
  /** Reads its columns in either form. A format without it always yields the form that it declares. */
  readonly columnForm?: true | undefined;
}

/** Argument of a format's own `plan`: only declared fields, with checked values. */
export interface PlanRequest extends Omit<ReadRequest, "batchSize"> {
  readonly batchSize: number;
}
