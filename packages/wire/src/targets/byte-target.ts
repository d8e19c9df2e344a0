/**
 * Bytes in the making. Nothing is visible under the final name before {@link commit}. Calls do not overlap: each waits
 * for the one before.
 */
export interface ByteTarget {
  /** Names the target in errors and summaries: a path or URL. */
  readonly uri: string;
  /** Appends `bytes`, which the caller may reuse once the promise resolves. @throws {SourceError} `io-failed`. */
  write(bytes: Uint8Array): Promise<void>;
  /** Gives the finished bytes their final name, replacing what had it. Called once, after the last write. */
  commit(): Promise<void>;
  /**
   * {@link commit} under another name in the same place, for files whose names tell how many there are. Absent: the name
   * is fixed.
   */
  commitAs?(uri: string): Promise<void>;
  /**
   * Drops everything, also after {@link commit} failed. After a commit that succeeded, takes the finished bytes away
   * again where the target can. Never rejects; safe to call twice.
   */
  discard(): Promise<void>;
}
