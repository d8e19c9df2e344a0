import { DEFAULT_MAX_COLUMNS, DEFAULT_MAX_RECORD_BYTES } from "@tfxio/wire";

/**
 * Bounds on lengths in the input, so that hostile or broken files fail with `limit-exceeded` instead of exhausting memory.
 * Formats check a length against its limit before they allocate. A limit has no effect on formats without such parts.
 */
export interface Limits {
  /**
   * Largest single record in bytes, uncompressed. Default 64 MiB: decoding a record takes about five times its length, and
   * up to twenty times for packed integers. Files may need more, for example volumes of medical images.
   */
  readonly maxRecordBytes: number;
  /** Largest footer, header or schema in bytes. Default 256 MiB: files of a million columns have footers of that order. */
  readonly maxMetadataBytes: number;
  /** Largest page or chunk that must be in memory at once, in uncompressed bytes. Default 1 GiB. */
  readonly maxPageBytes: number;
  /**
   * Maximum number of columns in a batch without a schema, and in an inferred schema. Default 100,000, which take a second to
   * decode. A million columns, which fit into a record of 20 MB, take 8 seconds and 3 GB. A given schema may have more. With
   * `unlisted: "error"`, it also bounds the unlisted columns of one batch.
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
