/** Options of {@link ByteSource.slice}. */
export interface SliceOptions {
  /** Gives up: the promise rejects with `signal.reason`, unwrapped. */
  readonly signal?: AbortSignal | undefined;
}

/** Bytes `start` (inclusive) to `end` (exclusive). */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Options of {@link ByteSource.stream}. */
export interface StreamOptions {
  /** First byte to deliver; 0 by default. */
  readonly start?: number | undefined;
  /** Stops the stream: the iterator rejects with `signal.reason`, unwrapped. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Lets the source write over a chunk once the next one was asked for, which spares it new memory for each. Default
   * false. A source may ignore it.
   */
  readonly reuseChunks?: boolean | undefined;
}

/**
 * Bytes that can be read again and again: a file, a Blob, an http(s) URL, or bytes in memory.
 * Reading has no side effect on the source, so several readers may share one.
 */
export interface ByteSource {
  /** Names the source in errors and splits: a URL, a path, or a made-up name such as `bytes:0`. */
  readonly uri: string;
  /** Total number of bytes as stored (compressed, if it is); absent when only reading can tell. */
  readonly byteLength?: number | undefined;
  /**
   * Changes whenever the bytes change: an ETag, or size and modification time. A read that meets another version fails
   * with `io-failed` (`source-changed`). Absent: the source cannot tell.
   */
  readonly version?: string | undefined;
  /**
   * What `openSources` makes this source of again, on another thread as well: a path or URL, a Blob, or bytes, which
   * the source borrows. Absent: it can be read only by the thread that made it.
   */
  readonly origin?: string | Blob | Uint8Array | undefined;
  /**
   * Bytes `start` (inclusive) to `end` (exclusive), clipped to the source's length.
   * The result may be a view of memory that the source owns: do not write to it.
   * @throws {SourceError} `not-found`; `io-failed`, with `source-changed` for a version other than {@link version}.
   */
  slice(start: number, end: number, options?: SliceOptions): Promise<Uint8Array>;
  /** Several ranges at once, in the order given. Absent: {@link slice} is called for each. */
  slices?(ranges: readonly ByteRange[], options?: SliceOptions): Promise<readonly Uint8Array[]>;
  /** The last `numBytes` bytes, or all if there are fewer, without knowing the length. Absent: use {@link slice}. */
  tail?(numBytes: number, options?: SliceOptions): Promise<Uint8Array>;
  /**
   * All bytes from `start` on, in chunks of the source's choosing (none is empty).
   * A chunk stays valid after the next one was asked for, unless `reuseChunks` says otherwise.
   * @throws {SourceError} `not-found`, `io-failed`.
   */
  stream(options?: StreamOptions): AsyncIterable<Uint8Array>;
}
