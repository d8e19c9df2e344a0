import type { ColumnPath, Predicate, Schema } from "@tfxio/schema";

/**
 * Form of the columns in batches. `"lists"`: each column is a list of values, as in tf.Examples. `"stored"`: columns have the
 * types of the file. `toListColumns` of `@tfxio/arrow-encoding` converts stored columns to lists.
 */
export type ColumnForm = "stored" | "lists";

/**
 * A request to a reader. Every format honours `columns`, `schema`, `unlisted`, `batchSize` and `signal`. `isInferred` and
 * `isSample` are hints. A format honours any other field only if it declares the field in {@link FormatReads}.
 */
export interface ReadRequest {
  /**
   * Columns to read. The decoder skips all others. Absent: all columns. `[]`: no columns, but each batch still has its number of
   * rows. A path that the schema lacks throws `schema-mismatch`. Without a schema, a batch may omit a column that none of its
   * rows has, and a format may throw for a column that a file lacks.
   */
  readonly columns?: readonly ColumnPath[] | undefined;
  /**
   * A schema with the types and order of the columns. Without it, batches describe themselves and may differ from one another.
   */
  readonly schema?: Schema | undefined;
  /**
   * True if the schema was inferred from this data. The schema then describes the columns but does not convert them: numbers keep
   * the width that the format stores. This is a hint. Default false.
   */
  readonly isInferred?: boolean | undefined;
  /**
   * Treatment of columns outside `schema`: `"drop"` (default), or `"error"`, which throws `schema-mismatch` for a column that has
   * values. A column of type Null has none. Requires `schema`.
   */
  readonly unlisted?: "drop" | "error" | undefined;
  /** Number of rows per batch. A batch may have fewer if it is the last of a split or reaches `batchBytes`. Default 4096. */
  readonly batchSize?: number | undefined;
  /**
   * Form of the columns. `"stored"`: a column with at most one value per row is flat, with null for rows without a value.
   * Default: {@link Format.columnForm}. Only for formats with `reads.columnForm`.
   */
  readonly columnForm?: ColumnForm | undefined;
  /** Approximate size in bytes at which a batch ends, even if it has few rows. Default 32 MiB. Declared by `reads.batchBytes`. */
  readonly batchBytes?: number | undefined;
  /** Name of a column to append. It holds each row's serialized record. Declared by `reads.rawRecordColumn`. */
  readonly rawRecordColumn?: string | undefined;
  /**
   * Name of an Int64 column to append. It holds each row's position in its file, unique and ascending regardless of the splits.
   * The format defines whether a position is a byte offset or a row number. Declared by `reads.rowPositionColumn`.
   */
  readonly rowPositionColumn?: string | undefined;
  /**
   * A predicate that selects the rows to keep. It may read columns that are not in `columns`. The caller must filter the batches
   * unless {@link ReadPlan.filtered} is `"rows"`. Declared by `reads.filter`.
   */
  readonly filter?: Predicate | undefined;
  /** Desired size of a split in bytes. This is a hint. Declared by `reads.subdivide`. */
  readonly splitBytes?: number | undefined;
  /**
   * True if the batches are used only to infer a schema. Format options that require a schema then have no effect. This is a
   * hint. Default false.
   */
  readonly isSample?: boolean | undefined;
  /** Cancels planning. */
  readonly signal?: AbortSignal | undefined;
}

/** The optional request fields and kinds of read that a format supports. A request for an undeclared one throws `unsupported`. */
export interface FormatReads {
  /** `"splits"`: may skip splits, or parts of splits, without a matching row. `"rows"`: yields only matching rows. */
  readonly filter?: "splits" | "rows" | undefined;
  readonly rawRecordColumn?: true | undefined;
  readonly rowPositionColumn?: true | undefined;
  /** Honours `splitBytes`, in `plan` or in {@link ReadPlan.subdivide}. */
  readonly subdivide?: true | undefined;
  /** Can read rows in random order. See {@link ReadOptions.shuffle}. */
  readonly shuffle?: true | undefined;
  readonly batchBytes?: true | undefined;
  /**
   * Supports an exact shuffle. `"rows"`: {@link ReadPlan.openRows} reads single rows. `"parts"`: without `splitBytes`, {@link
   * ReadPlan.subdivide} cuts a split into its smallest parts and sets `numRows` on each. A split that can only be read in order
   * need not be cut.
   */
  readonly randomAccess?: "rows" | "parts" | undefined;
  /** Can yield its columns in either form. A format without this member always yields {@link Format.columnForm}. */
  readonly columnForm?: true | undefined;
}

/** Argument of the `plan` of a {@link FormatReader}. It has no undeclared field, and its values are checked. */
export interface PlanRequest extends Omit<ReadRequest, "batchSize"> {
  readonly batchSize: number;
}
