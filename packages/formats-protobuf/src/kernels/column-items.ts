/** Items of a column, with the lists that they belong to. */
export interface ColumnItems {
  /** First item of each parent, up to the last one that has items. */
  readonly starts: Int32Array;
  readonly numItems: number;
  /** Values, or of byte strings the offset of each in {@link data} and the end of the last one. */
  readonly words: Int32Array;
  readonly data: Uint8Array;
  /** Which lists have items, as an Arrow bitmap. Absent where nobody has counted yet. */
  readonly validity?: ListValidity | undefined;
}

/** A list without items is null, since no record can have an empty one. */
export interface ListValidity {
  readonly nullCount: number;
  /** Absent when no list is null. */
  readonly bitmap?: Uint8Array | undefined;
}
