import { once } from "node:events";
import { isatty, type WriteStream } from "node:tty";
import { type Host, Interruption, type Output } from "./host.js";

/**
 * Returns the host for a command that runs in this process. The first SIGINT or SIGTERM aborts the command's signal. A second one
 * ends the process at once.
 */
export function hostOfProcess(): Omit<Host, "report"> {
  const { stdout, stderr } = process;
  const ending = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (ending.signal.aborted) process.exit(signal === "SIGINT" ? 130 : 143);
      ending.abort(new Interruption(signal));
    });
  }
  // A reader such as `head` or a pager may close the pipe before all output is written. That is not an error.
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    ending.abort(new Interruption("closed-pipe"));
  });
  // Without a listener, a closed stderr would end the process with an uncaught error.
  stderr.on("error", () => {});
  return {
    stdin: () => process.stdin,
    stdout: outputOf(stdout, isatty(1), ending.signal),
    stderr: outputOf(stderr, isatty(2), ending.signal),
    signal: ending.signal,
  };
}

/** Wraps a stream of the process. After the reader has closed the pipe, `write` rejects. */
function outputOf(stream: WriteStream, isTerminal: boolean, signal: AbortSignal): Output {
  return {
    async write(chunk) {
      if (signal.reason instanceof Interruption && signal.reason.by === "closed-pipe")
        signal.throwIfAborted();
      if (!stream.write(chunk)) await once(stream, "drain", { signal });
    },
    isTerminal,
    get columns() {
      return isTerminal ? stream.columns : undefined;
    },
    get hasColour() {
      // Respects NO_COLOR, FORCE_COLOR and TERM.
      return isTerminal && stream.hasColors();
    },
  };
}
