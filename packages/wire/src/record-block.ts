/**
 * Consecutive records of one source: one buffer and the bounds of each record in it, without an object per record. Borrowed:
 * valid until the container is asked for its next block.
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
  /** Zero-based position of the first record in the source. */
  readonly firstRecordIndex: number;
  /** Zero-based position of each record in the source. Present if records are shuffled; ignore {@link firstRecordIndex} then. */
  readonly recordIndices?: Float64Array | undefined;
  /** Offset of `bytes[0]` in the source's uncompressed bytes. */
  readonly byteOffset: number;
  /** Bytes of framing before each payload: one number for all, or one per record. Default 0. */
  readonly headerBytes?: number | Uint8Array | undefined;
  /** Offset of the end of the last record's frame in the source's uncompressed bytes. Absent if unknown. */
  readonly endOffset?: number | undefined;
}

/**
 * A run of framed bytes of a source, for kernels that parse the framing themselves. It begins with a complete record and may end
 * inside another. Borrowed: valid until the next window is requested.
 */
export interface FramedWindow {
  readonly uri: string;
  /** Uncompressed bytes, framing included. */
  readonly bytes: Uint8Array;
  /** Zero-based position in the source of the first record that starts in this window. */
  readonly firstRecordIndex: number;
  /** Offset of `bytes[0]` in the source's uncompressed bytes. */
  readonly byteOffset: number;
}

/** A stream of windows over framed bytes. Each window begins where the consumer stopped in the last one. */
export interface FramedWindows {
  /**
   * The next window. It begins `consumed` bytes after the start of the last one and holds at least one complete record. Null
   * after the last byte was consumed. Pass 0 to the first call. Later, `consumed` must be at the end of a record.
   * @throws {RecordError} when the bytes from there on are not a complete record.
   */
  next(consumed: number): Promise<FramedWindow | null>;
  /** Closes the underlying reads. Safe to call twice and after an error. */
  close(): Promise<void>;
}

/** Checks on framed bytes while they are decoded. */
export interface FramedOptions {
  /** Check the masked CRC-32C of each payload. The CRC of its length is always checked. */
  readonly verifyPayload: boolean;
  /** Largest record in bytes. */
  readonly maxRecordBytes: number;
}

/** Limits at which a batch is full. They are checked before each record, so a batch holds at least one row. */
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
