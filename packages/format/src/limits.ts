/**
 * Bounds on what input may ask for, so that hostile or broken files fail as `limit-exceeded` instead of exhausting memory.
 * A format checks a length against its limit before it allocates; one that has no such parts has nothing to bound.
 */
export interface Limits {
  /** Largest single record in bytes. Default 1 GiB: above it, length fields are more likely damage than data. */
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
