/** A value that JSON represents without loss. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** The position at which to resume a read, before its next row. JSON-safe. */
export interface Position {
  /** Rows already delivered or skipped, counted from the start of the split. */
  readonly row: number;
  /**
   * Lets a reader seek instead of counting rows. Each format defines its meaning; for record formats it is the byte offset of the
   * next record in the uncompressed bytes.
   */
  readonly detail?: Json | undefined;
}
