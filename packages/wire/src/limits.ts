/**
 * Largest record in bytes that is read unless more is asked for: 64 MiB, as protobuf's own readers had it until version 3.6
 * (`CodedInputStream::SetTotalBytesLimit`). Decoding a record takes five to twenty times its length, and gzip makes one of
 * this size out of 64 kB.
 */
export const DEFAULT_MAX_RECORD_BYTES: number = 64 * 2 ** 20;

/**
 * Most columns of a batch that no schema names: 100,000. So many take a second to decode and to make tensors of (bench
 * `columns`); a million, in a record of 20 MB, took 8 seconds and 2.9 GB.
 */
export const DEFAULT_MAX_COLUMNS = 100_000;
