/**
 * Default maximum size of a record in bytes: 64 MiB, a former default of protobuf's own readers
 * (`CodedInputStream::SetTotalBytesLimit`). Decoding a record needs memory of five to twenty times its length, and gzip can
 * expand 64 kB to a record of this size.
 */
export const DEFAULT_MAX_RECORD_BYTES: number = 64 * 2 ** 20;

/**
 * Default maximum number of columns in a batch that is read without a schema. Decoding 100,000 columns and converting them to
 * tensors takes a second (bench `columns`). A million columns, in a record of 20 MB, took 8 seconds and 2.9 GB.
 */
export const DEFAULT_MAX_COLUMNS = 100_000;
