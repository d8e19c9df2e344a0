/**
 * A file or object under construction. Nothing is visible under the final name before {@link commit}. Calls must not overlap:
 * await each call before the next one.
 */
export interface ByteTarget {
  /** Name of the target in errors and summaries, such as a path or URL. */
  readonly uri: string;
  /** Appends `bytes`, which the caller may reuse once the promise resolves. @throws {SourceError} `io-failed`. */
  write(bytes: Uint8Array): Promise<void>;
  /** Gives the finished bytes their final name, replacing any file with that name. Call it only once, after the last write. */
  commit(): Promise<void>;
  /**
   * Like {@link commit}, but gives the bytes the name `uri`, which must be in the same folder as {@link ByteTarget.uri}. Used for
   * files whose names state the number of shards. Absent if the name is fixed.
   */
  commitAs?(uri: string): Promise<void>;
  /**
   * Deletes everything that was written, even after a failed {@link commit}. After a successful commit, removes the finished
   * bytes if the target supports it. Never rejects. Safe to call twice.
   */
  discard(): Promise<void>;
}
