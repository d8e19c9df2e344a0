/** Items of a column, and the lists that contain them. */
export interface ColumnItems {
  /** First item of each parent, up to the last one that has items. */
  readonly starts: Int32Array;
  readonly numItems: number;
  /** Values. For byte strings, the offset of each in {@link data}, then the end of the last one. */
  readonly words: Int32Array;
  readonly data: Uint8Array;
  /** Validity of the lists, as an Arrow bitmap. Absent if not computed yet. */
  readonly validity?: ListValidity | undefined;
}

/** Validity of lists. An empty list is null, since records cannot represent empty lists. */
export interface ListValidity {
  readonly nullCount: number;
  /** Absent when no list is null. */
  readonly bitmap?: Uint8Array | undefined;
}
