/**
 * Consecutive records of one source: one buffer and the bounds of each record in it, never an object per record.
 * Borrowed: valid until the container is asked for its next block.
 */
export interface RecordBlock {
  readonly uri: string;
  readonly bytes: Uint8Array;
  readonly numRecords: number;
  /** Start of each record's payload in `bytes`, inclusive. At least `numRecords` long. */
  readonly starts: Uint32Array;
  /** End of each record's payload in `bytes`, exclusive. At least `numRecords` long. */
  readonly ends: Uint32Array;
  /** Position of the first record in the source, counted from 0. */
  readonly firstRecordIndex: number;
  /** Position of each record in its own source, where the records are shuffled and {@link firstRecordIndex} tells nothing. */
  readonly recordIndices?: Float64Array | undefined;
  /** Offset of `bytes[0]` in the source's uncompressed bytes. */
  readonly byteOffset: number;
  /** Bytes of framing in front of each payload, or of each one by one. Default 0. */
  readonly headerBytes?: number | Uint8Array | undefined;
  /** Offset in the source's uncompressed bytes of whatever follows the last record's frame. Absent: not known. */
  readonly endOffset?: number | undefined;
}

/**
 * A run of framed bytes of a source, for kernels that do the framing themselves. Begins with a whole record, and may
 * end in the middle of one. Borrowed: valid until the next window is asked for.
 */
export interface FramedWindow {
  readonly uri: string;
  readonly bytes: Uint8Array;
  /** Position in the source of the first record that starts in this window. */
  readonly firstRecordIndex: number;
  /** Offset of `bytes[0]` in the source's uncompressed bytes. */
  readonly byteOffset: number;
}

/** A stream of windows over framed bytes; each window begins where the last one was consumed to. */
export interface FramedWindows {
  /**
   * The next window, beginning `consumed` bytes after the start of the last one; it holds at least one whole record.
   * Null after the last byte was consumed. Pass 0 in the first call, and always the end of a record.
   * @throws {RecordError} when the bytes from there on are no whole record.
   */
  next(consumed: number): Promise<FramedWindow | null>;
  /** Closes what is read from. Safe to call twice and after an error. */
  close(): Promise<void>;
}

/** How framed bytes are checked while they are decoded. */
export interface FramedOptions {
  /** Check the masked CRC-32C of each payload; that of the length is always checked. */
  readonly verifyPayload: boolean;
  /** Largest record in bytes. */
  readonly maxRecordBytes: number;
}

/** When a batch is full. Checked before each record, so a batch holds at least one row. */
export interface BatchLimits {
  readonly maxRows: number;
  /** Bytes of values, offsets and bitmaps. */
  readonly maxBytes: number;
}

/** How far a push of records into a decoder came. */
export interface PushProgress {
  /** Records taken from a block, or bytes taken from a window, counted from the start of the push. */
  readonly consumed: number;
  /** Records taken, including those that a skip policy left out. */
  readonly numRecords: number;
  /** The batch has reached a limit: finish it before the next push. */
  readonly isFull: boolean;
}
