/** The items of a column, and the lists that contain them. */
export interface ColumnItems {
  /** Index of the first item of each list. Empty lists at the end may be missing. */
  readonly starts: Int32Array;
  readonly numItems: number;
  /** The values, in 32-bit words. For byte strings, offsets in {@link data}: the start of each, then the end of the last. */
  readonly words: Int32Array;
  /** The concatenated byte strings. Empty for other encodings. */
  readonly data: Uint8Array;
  /** Validity of the lists. Absent if the kernel does not compute it. */
  readonly validity?: ListValidity | undefined;
}

/** Validity of lists. An empty list is null, since records cannot represent empty lists. */
export interface ListValidity {
  readonly nullCount: number;
  /** An Arrow bitmap: bit `i` is 1 if list `i` is valid. Absent if no list is null. */
  readonly bitmap?: Uint8Array | undefined;
}
