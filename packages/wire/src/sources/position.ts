/** A value that JSON represents without loss. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** The position before the next row, at which a read resumes. It survives a round trip through JSON. */
export interface Position {
  /** Rows already delivered or skipped, counted from the start of the split. */
  readonly row: number;
  /**
   * A hint that lets a reader seek instead of counting rows. Each format defines what the hint contains. For record formats, it
   * is the byte offset of the next record in the uncompressed bytes.
   */
  readonly detail?: Json | undefined;
}
