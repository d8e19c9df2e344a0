/** A DataView in memory: it decodes serialized records into tensors. */
export interface LoadedDataView {
  /** Decodes records. Of no records, it gives outputs without rows. */
  decodeRecords(records: readonly Uint8Array[]): unknown;
}

/**
 * Writes and reads DataViews. Hand in the one of `@tfxio/struct2tensor`; it loads a view without running code of it, and
 * compares checksums.
 */
export interface DataViews {
  /** Writes a DataView into a folder that exists and is empty. @param decoder What the caller's function has made. */
  save(decoder: unknown, folder: string): Promise<void>;
  /** Reads the DataView at a URI. */
  load(uri: string): Promise<LoadedDataView>;
}
