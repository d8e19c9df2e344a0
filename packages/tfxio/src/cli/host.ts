/** A stream that a command writes to. */
export interface Output {
  /** Resolves when the stream is ready for the next chunk, so that memory stays bounded. */
  write(chunk: string | Uint8Array): Promise<void>;
  readonly isTerminal: boolean;
  /** Characters per line. Undefined for pipes and files, where lines do not wrap. */
  readonly columns: number | undefined;
  /** True on terminals with colours, unless `NO_COLOR` is set. */
  readonly hasColour: boolean;
}

/** The environment of a command: a process, or a stand-in for tests. */
export interface Host {
  /** Bytes of stdin. Only commands that read it open it. */
  stdin(): AsyncIterable<Uint8Array>;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Aborts with {@link Interruption} on SIGINT and SIGTERM, and when the reader of `stdout` closes the pipe. */
  readonly signal: AbortSignal;
  /** Records a finding, which determines the exit code: see `docs/guides/command.md`. */
  report(finding: "unsound"): void;
}

/** The reason for an early end that is not an error. */
export class Interruption extends Error {
  override readonly name = "Interruption";
  constructor(readonly by: "SIGINT" | "SIGTERM" | "closed-pipe") {
    super(`interrupted by ${by}`);
  }
}
