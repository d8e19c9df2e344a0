/** A stream that a command writes to. */
export interface Output {
  /** Resolves once the next chunk may come, so that memory stays bounded. */
  write(chunk: string | Uint8Array): Promise<void>;
  readonly isTerminal: boolean;
  /** Characters of a line; undefined where lines do not break, as in pipes and files. */
  readonly columns: number | undefined;
  /** True on terminals, unless `NO_COLOR` is set or they have no colours. */
  readonly hasColour: boolean;
}

/** The world of a command: the process, or that of a test. */
export interface Host {
  /** Opened only by commands that read it. */
  stdin(): AsyncIterable<Uint8Array>;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Aborts with {@link Interruption} on SIGINT and SIGTERM, and when nobody reads `stdout` any longer. */
  readonly signal: AbortSignal;
  /** What the command found, for the exit code: see `docs/guides/command.md`. */
  report(finding: "unsound"): void;
}

/** Why a command ends early. Nothing is wrong with it. */
export class Interruption extends Error {
  override readonly name = "Interruption";
  constructor(readonly by: "SIGINT" | "SIGTERM" | "closed-pipe") {
    super(`interrupted by ${by}`);
  }
}
