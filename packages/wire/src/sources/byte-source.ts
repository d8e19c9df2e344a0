/** Options of a read such as {@link ByteSource.slice}. */
export interface SliceOptions {
  /** Cancels the read, which then rejects with `signal.reason`, unwrapped. */
  readonly signal?: AbortSignal | undefined;
}

/** The range of bytes from `start` (inclusive) to `end` (exclusive). */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Options of {@link ByteSource.stream}. */
export interface StreamOptions {
  /** Offset of the first byte to deliver. Default 0. */
  readonly start?: number | undefined;
  /** Cancels the stream: the iterator rejects with `signal.reason`, unwrapped. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Allows the source to overwrite a chunk once the next one is requested, which saves an allocation per chunk. Default false. A
   * source may ignore this option.
   */
  readonly reuseChunks?: boolean | undefined;
}

/**
 * Bytes that can be read repeatedly, such as a file, a Blob, an http(s) URL, or bytes in memory. Reading does not change the
 * source, so several readers may share one.
 */
export interface ByteSource {
  /** Name of the source in errors and splits: a URL, a path, or a generated name such as `bytes:0`. */
  readonly uri: string;
  /** Total number of stored bytes, before decompression. Absent if it is unknown until everything is read. */
  readonly byteLength?: number | undefined;
  /**
   * A string that changes whenever the bytes change: an ETag, or size and modification time. A read that finds another version
   * fails with `io-failed` (`source-changed`). Absent if the bytes cannot change, or the source cannot detect changes.
   */
  readonly version?: string | undefined;
  /**
   * An input from which `openSources` can recreate this source, even on another thread: a path, a URL, a Blob, or the bytes
   * that this source borrows. Absent if only the thread that created the source can read it.
   */
  readonly origin?: string | Blob | Uint8Array | undefined;
  /**
   * True if every result of {@link slice} and {@link slices} is new memory that now belongs to the caller, who may write to it,
   * transfer it or free it. Default false.
   */
  readonly handsOverSlices?: boolean | undefined;
  /**
   * Reads the bytes from `start` (inclusive) to `end` (exclusive), clipped to the source's length. The result may be a view of
   * memory that the source owns. Do not write to it unless {@link handsOverSlices} is true.
   * @throws {SourceError} `not-found`, or `io-failed` (`source-changed` if the bytes no longer have this {@link version}).
   */
  slice(start: number, end: number, options?: SliceOptions): Promise<Uint8Array>;
  /**
   * Reads several ranges in one call. Results are in the order of `ranges`. If this method is absent, callers use {@link slice}
   * for each range.
   */
  slices?(ranges: readonly ByteRange[], options?: SliceOptions): Promise<readonly Uint8Array[]>;
  /** Reads the last `numBytes` bytes, or all if there are fewer, even if {@link byteLength} is unknown. */
  tail?(numBytes: number, options?: SliceOptions): Promise<Uint8Array>;
  /**
   * Yields all bytes from `start` on. The source chooses the sizes of the chunks, none of which is empty. A chunk stays valid
   * after the next one is requested, unless `reuseChunks` is true.
   * @throws {SourceError} `not-found`, `io-failed`.
   */
  stream(options?: StreamOptions): AsyncIterable<Uint8Array>;
}
