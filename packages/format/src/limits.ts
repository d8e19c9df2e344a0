import { DEFAULT_MAX_COLUMNS, DEFAULT_MAX_RECORD_BYTES } from "@tfxio/wire";

/**
 * Bounds on lengths and counts in the input, so that hostile or broken files fail with `limit-exceeded` instead of exhausting
 * memory. Formats check a length against its limit before they allocate memory. A format ignores the limits of parts that it does
 * not have, such as pages.
 */
export interface Limits {
  /**
   * Largest single record in uncompressed bytes. Default 64 MiB, because decoding takes about five times as much memory as the
   * record itself, and up to twenty times for packed integers. Some files need a higher limit, such as files of medical image
   * volumes.
   */
  readonly maxRecordBytes: number;
  /**
   * Largest footer, header or schema in bytes. Default 256 MiB, because files with a million columns have footers of about that
   * size.
   */
  readonly maxMetadataBytes: number;
  /** Largest page or chunk that must be in memory as a whole, in uncompressed bytes. Default 1 GiB. */
  readonly maxPageBytes: number;
  /**
   * Maximum number of columns in a batch without a schema, and in an inferred schema. Default 100,000, which take a second to
   * decode. A million columns, which fit into a record of 20 MB, take 8 seconds and 3 GB. The columns of a schema that the caller
   * passes are not limited. With `unlisted: "error"`, the limit also bounds the unlisted columns of one batch.
   */
  readonly maxColumns: number;
}

/** The default limits. {@link Limits} states the reasons for the numbers. */
export const DEFAULT_LIMITS: Limits = {
  maxRecordBytes: DEFAULT_MAX_RECORD_BYTES,
  maxMetadataBytes: 2 ** 28,
  maxPageBytes: 2 ** 30,
  maxColumns: DEFAULT_MAX_COLUMNS,
};
