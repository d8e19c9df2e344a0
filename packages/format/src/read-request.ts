import type { ColumnPath, Predicate, Schema } from "@tfxio/schema";

/** What is wanted from a reader. Every format honours the first four fields; the others only where it declares them. */
export interface ReadRequest {
  /**
   * Columns to read, pushed down to the decoder. Absent: all; `[]`: none, but rows still count. A path that the schema
   * lacks is `schema-mismatch`; without a schema, a batch omits columns that none of its rows has.
   */
  readonly columns?: readonly ColumnPath[] | undefined;
  /** Types and order of the columns. Absent: batches describe themselves and may differ from one another. */
  readonly schema?: Schema | undefined;
  /**
   * The schema was inferred from this data, so it describes the columns and narrows none: numbers keep the width that the
   * format stores. A hint; default false.
   */
  readonly isInferred?: boolean | undefined;
  /** What a column outside `schema` means: `"drop"` (default), or `"error"`, a `schema-mismatch`. Needs `schema`. */
  readonly unlisted?: "drop" | "error" | undefined;
  /** Rows per batch; the last batch of a split may be shorter. Default 4096. */
  readonly batchSize?: number | undefined;
  /** Ends a batch at about this many bytes, however few rows it has. Default 32 MiB. Declared by `reads.batchBytes`. */
  readonly batchBytes?: number | undefined;
  /** Appends a column of this name with each row's serialized record. Declared by `reads.rawRecordColumn`. */
  readonly rawRecordColumn?: string | undefined;
  /**
   * Appends an Int64 column of this name: where each row lies in its file, unique and ascending whatever the splits. Byte
   * offset or row number, as the format says. Declared by `reads.rowPositionColumn`.
   */
  readonly rowPositionColumn?: string | undefined;
  /**
   * Rows to keep. The columns that it compares need not be among `columns`. {@link ReadPlan.filtered} tells how far the
   * plan goes; the caller does the rest. Declared by `reads.filter`.
   */
  readonly filter?: Predicate | undefined;
  /** Wanted size of a split in bytes: a hint. Declared by `reads.subdivide`. */
  readonly splitBytes?: number | undefined;
  /** The batches serve only to infer a schema: format options that need one wait for it. A hint; default false. */
  readonly isSample?: boolean | undefined;
  /** Cancels planning. */
  readonly signal?: AbortSignal | undefined;
}

/** What a format honours beyond the four fields that all formats honour. A field that is absent is refused. */
export interface FormatReads {
  /** `"splits"`: leaves out splits or parts of them in which no row matches; `"rows"`: gives matching rows only. */
  readonly filter?: "splits" | "rows" | undefined;
  readonly rawRecordColumn?: true | undefined;
  readonly rowPositionColumn?: true | undefined;
  /** Honours `splitBytes`, when planning or through {@link ReadPlan.subdivide}. */
  readonly subdivide?: true | undefined;
  /** Reads rows in random order: {@link ReadOptions.shuffle}. */
  readonly shuffle?: true | undefined;
  readonly batchBytes?: true | undefined;
}

/** What a format's own `plan` gets: known fields that it declares, with checked values. */
export interface PlanRequest extends Omit<ReadRequest, "batchSize"> {
  readonly batchSize: number;
}
