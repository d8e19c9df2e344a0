/**
 * Records as one buffer with the bounds of each record, instead of an object per record. They are consecutive records of one
 * source unless {@link recordIndices} is present. A block is borrowed: it is valid until its reader is asked for the next block.
 */
export interface RecordBlock {
  readonly uri: string;
  /** Payloads, with or without the framing between them. */
  readonly bytes: Uint8Array;
  readonly numRecords: number;
  /** Start of each record's payload in `bytes`, inclusive. At least `numRecords` long. */
  readonly starts: Uint32Array;
  /** End of each record's payload in `bytes`, exclusive. At least `numRecords` long. */
  readonly ends: Uint32Array;
  /** Zero-based index, in the source, of the first record in this block. */
  readonly firstRecordIndex: number;
  /**
   * Zero-based index of each record in its source. Present if the records were shuffled or requested by number. They may then
   * come from several sources, and {@link firstRecordIndex} is the number of records in the batch before this block. An error
   * of the decoder then names a record by its index in the batch, and the reader replaces that with the record's place in its
   * source.
   */
  readonly recordIndices?: Float64Array | undefined;
  /** Offset of `bytes[0]` in the source's uncompressed bytes. */
  readonly byteOffset: number;
  /** Bytes of framing before each payload: one number for all, or one per record. Default 0. */
  readonly headerBytes?: number | Uint8Array | undefined;
  /** Offset of the end of the last record's frame in the source's uncompressed bytes. Absent if unknown. */
  readonly endOffset?: number | undefined;
}

/**
 * Consecutive framed bytes of a source, for kernels that parse the framing themselves. A window begins with a complete record and
 * may end within a later record. It is borrowed: it is valid until the next window is requested.
 */
export interface FramedWindow {
  readonly uri: string;
  /** Uncompressed bytes, framing included. */
  readonly bytes: Uint8Array;
  /** Zero-based index, in the source, of the first record in this window. */
  readonly firstRecordIndex: number;
  /** Offset of `bytes[0]` in the source's uncompressed bytes. */
  readonly byteOffset: number;
}

/** Reads framed bytes in windows. Each window begins where the consumer stopped in the previous window. */
export interface FramedWindows {
  /**
   * Returns the next window, which holds at least one complete record, or null once all bytes are consumed.
   * @param consumed Number of bytes consumed from the previous window. They must end where a record ends. 0 in the first call.
   * @throws {RecordError} if more bytes follow the consumed ones, but do not begin with a complete record.
   */
  next(consumed: number): Promise<FramedWindow | null>;
  /** Closes the underlying reads. Safe to call twice and after an error. */
  close(): Promise<void>;
}

/** The checks that a kernel applies to framed bytes. */
export interface FramedOptions {
  /** Whether to check the masked CRC-32C of each payload. The CRC-32C of its length is always checked. */
  readonly verifyPayload: boolean;
  /** Maximum size of a payload in bytes. */
  readonly maxRecordBytes: number;
}

/**
 * Limits at which a batch is full. They are checked between records, so a batch has at least one row and may exceed `maxBytes`.
 */
export interface BatchLimits {
  readonly maxRows: number;
  /** Bytes of values, offsets and bitmaps. */
  readonly maxBytes: number;
}

/** Progress of pushing records into a decoder. */
export interface PushProgress {
  /** Records taken from a block, or bytes taken from a window, since the start of the push. */
  readonly consumed: number;
  /** Records taken, including those that a skip policy dropped. */
  readonly numRecords: number;
  /** True when the batch has reached a limit. Finish it before the next push. */
  readonly isFull: boolean;
}
