/** A value that JSON carries without loss. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Where to resume a read: the row that comes next. JSON-safe. */
export interface Position {
  /** Rows already delivered or skipped, counted from the start of the split. */
  readonly row: number;
  /**
   * Lets a reader seek instead of counting rows. Its meaning belongs to the format; for record formats it is the byte
   * offset of the next record in the uncompressed bytes.
   */
  readonly detail?: Json | undefined;
}
