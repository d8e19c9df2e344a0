import { CommanderError } from "commander";
import { exitCodeOf, INTERRUPTED, SUCCESS, UNSOUND, WRONG_USE } from "./errors/exit-codes.js";
import { errorText } from "./errors/error-text.js";
import type { Call } from "./errors/hints.js";
import { type Host, Interruption } from "./host.js";
import { createProgram } from "./program.js";

/**
 * Runs a command. Errors are written to stderr, with their stacks if `argv` contains `--debug`.
 * @param argv Arguments, without Node and the script's name.
 * @returns The exit code.
 */
export async function run(argv: readonly string[], outer: Omit<Host, "report">): Promise<number> {
  let code = SUCCESS;
  let call: Call | undefined;
  const host: Host = {
    ...outer,
    report: () => {
      code = UNSOUND;
    },
  };
  try {
    const program = await createProgram(argv, host);
    program.hook("preAction", (_, command) => {
      call = { command: command.name(), options: command.opts() };
    });
    await program.parseAsync(argv, { from: "user" });
    return code;
  } catch (error) {
    // After an abort, `error` may wrap the reason. The signal holds the original reason.
    const cause: unknown = host.signal.aborted ? host.signal.reason : error;
    if (cause instanceof Interruption) return interrupted(cause, host);
    // Commander has already written its message.
    if (error instanceof CommanderError) return error.exitCode === 0 ? SUCCESS : WRONG_USE;
    const isDebugging = argv.includes("--debug");
    await host.stderr.write(errorText(error, { isDebugging, hasColour: host.stderr.hasColour, call }));
    return exitCodeOf(error);
  }
}

/** Reports an interruption. A reader that closes the pipe, such as `head`, is not a failure. */
async function interrupted({ by }: Interruption, { stderr }: Host): Promise<number> {
  if (by === "closed-pipe") return SUCCESS;
  await stderr.write(`Interrupted. No file was left incomplete.
`);
  return INTERRUPTED[by];
}
