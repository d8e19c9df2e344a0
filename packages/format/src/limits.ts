/**
 * Bounds on what input may ask for, so that hostile or broken files fail as `limit-exceeded` instead of exhausting memory.
 * A format checks a length against its limit before it allocates; one that has no such parts has nothing to bound.
 */
export interface Limits {
  /**
   * Largest single record in bytes, uncompressed. Default 1 GiB: above it, length fields are more likely damage than data.
   * Memory for a record grows with the bytes that arrive. Decoding one takes about five times its length, and up to twenty
   * times for packed integers: for files that you do not trust, give less, since gzip makes 1 GiB of 1 MB.
   */
  readonly maxRecordBytes: number;
  /** Largest footer, header or schema in bytes. Default 256 MiB: files of a million columns have footers of that order. */
  readonly maxMetadataBytes: number;
  /** Largest page or chunk that has to be in memory at once, in bytes and uncompressed. Default 1 GiB. */
  readonly maxPageBytes: number;
}

/** See {@link Limits} for the reasons. */
export const DEFAULT_LIMITS: Limits = {
  maxRecordBytes: 2 ** 30,
  maxMetadataBytes: 2 ** 28,
  maxPageBytes: 2 ** 30,
};
