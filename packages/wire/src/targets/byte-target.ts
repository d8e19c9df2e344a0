/**
 * A file or object under construction. Nothing is visible under the final name before {@link commit}. Calls must not overlap:
 * each waits for the one before.
 */
export interface ByteTarget {
  /** Names the target in errors and summaries: a path or URL. */
  readonly uri: string;
  /** Appends `bytes`, which the caller may reuse once the promise resolves. @throws {SourceError} `io-failed`. */
  write(bytes: Uint8Array): Promise<void>;
  /** Gives the finished bytes their final name and replaces an existing file of that name. Call it once, after the last write. */
  commit(): Promise<void>;
  /**
   * {@link commit} under another name in the same folder, for files whose names state the number of shards. Absent if the name is
   * fixed.
   */
  commitAs?(uri: string): Promise<void>;
  /**
   * Drops everything, even after a failed {@link commit}. After a successful commit it removes the finished bytes if the target
   * can. Never rejects; safe to call twice.
   */
  discard(): Promise<void>;
}
