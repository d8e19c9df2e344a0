/** A stream to which a command writes. */
export interface Output {
  /**
   * Writes a chunk; text is encoded as UTF-8. Resolves when the stream is ready for the next chunk, so that memory stays bounded.
   */
  write(chunk: string | Uint8Array): Promise<void>;
  /** False for pipes and files. */
  readonly isTerminal: boolean;
  /** Characters per line. Undefined for pipes and files, where lines do not wrap. */
  readonly columns: number | undefined;
  /** True on terminals that support colours, unless `NO_COLOR` is set. */
  readonly hasColour: boolean;
}

/** The environment of a command: a process, or a stand-in for tests. */
export interface Host {
  /** Returns the bytes of stdin. Commands that do not read stdin must not call it. */
  stdin(): AsyncIterable<Uint8Array>;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Aborts with {@link Interruption} on SIGINT and SIGTERM, and when the reader of `stdout` closes the pipe. */
  readonly signal: AbortSignal;
  /** Records damage, drift or different schemas. The exit code is then 1, although the command succeeds. */
  report(finding: "unsound"): void;
}

/** Abort reason of the host's signal if the user or the reader of the output ends a command early. Not reported as an error. */
export class Interruption extends Error {
  override readonly name = "Interruption";
  constructor(readonly by: "SIGINT" | "SIGTERM" | "closed-pipe") {
    super(`interrupted by ${by}`);
  }
}
