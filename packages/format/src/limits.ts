import { DEFAULT_MAX_COLUMNS, DEFAULT_MAX_RECORD_BYTES } from "@tfxio/wire";

/**
 * Bounds on what input may ask for, so that hostile or broken files fail as `limit-exceeded` instead of exhausting memory.
 * A format checks a length against its limit before it allocates; one that has no such parts has nothing to bound.
 */
export interface Limits {
  /**
   * Largest single record in bytes, uncompressed. Default 64 MiB: decoding a record takes about five times its length, and
   * up to twenty times for packed integers. Files may need more, for example volumes of medical images.
   */
  readonly maxRecordBytes: number;
  /** Largest footer, header or schema in bytes. Default 256 MiB: files of a million columns have footers of that order. */
  readonly maxMetadataBytes: number;
  /** Largest page or chunk that has to be in memory at once, in bytes and uncompressed. Default 1 GiB. */
  readonly maxPageBytes: number;
  /**
   * Most columns that a batch may have without a schema, and an inferred schema with them. Default 100,000: so many take a
   * second to decode, while a million, which fit in a record of 20 MB, take 8 seconds and 3 GB. A schema may have more. With
   * `unlisted: "error"` it also bounds how many columns of one batch may be unlisted.
   */
  readonly maxColumns: number;
}

/** See {@link Limits} for the reasons. */
export const DEFAULT_LIMITS: Limits = {
  maxRecordBytes: DEFAULT_MAX_RECORD_BYTES,
  maxMetadataBytes: 2 ** 28,
  maxPageBytes: 2 ** 30,
  maxColumns: DEFAULT_MAX_COLUMNS,
};
