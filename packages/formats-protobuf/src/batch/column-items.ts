/** Items of a column, with what tells whose they are. */
export interface ColumnItems {
  /** int32, one more than there are parents. */
  readonly offsets: Int32Array;
  readonly numItems: number;
  readonly words: Int32Array;
  readonly data: Uint8Array;
}
