import { spawn } from "node:child_process";
import { Unavailable } from "./interop.js";

/** Options of a command. */
export interface CommandOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Text for the command's standard input. Default: empty. */
  readonly input?: string;
  /** Time after which the command is ended. Default: ten minutes, because downloads of wheels are large. */
  readonly timeoutMs?: number;
}

/** The result of a command. */
export interface CommandResult {
  /** Undefined if a signal ended the command. */
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command until it exits. @throws {Unavailable} if the program cannot be started or times out. */
export async function runCommand(
  program: string,
  args: readonly string[],
  { cwd, env, input = "", timeoutMs = 600_000 }: CommandOptions = {},
): Promise<CommandResult> {
  // The `timeout` option of spawn is not used, because its timer stays active if the program does not exist.
  const child = spawn(program, args, {
    cwd,
    env,
    signal: AbortSignal.timeout(timeoutMs),
    stdio: ["pipe", "pipe", "pipe"],
  });
  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
  // A program that exits without reading its input closes the pipe. Its exit code shows the failure.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const exitCode = await new Promise<number | undefined>((resolve, reject) => {
    child.on("error", (error) => {
      const problem =
        error.name === "AbortError"
          ? `did not end within ${timeoutMs / 1000} s`
          : `cannot be run: ${error.message}`;
      reject(new Unavailable(`${program} ${problem}`));
    });
    child.on("close", (code) => resolve(code ?? undefined));
  });
  return { exitCode, ...output };
}

/** Describes the end of a command for an error message: `exited with code 1`, or `was ended by a signal`. */
export function endOf(exitCode: number | undefined): string {
  return exitCode === undefined ? "was ended by a signal" : `exited with code ${exitCode}`;
}

/**
 * Runs a command that prepares external software, and resolves to its standard output.
 * @throws {Unavailable} if it fails. The message ends with the first line of output that contains "error", or else the last line.
 */
export async function prepare(
  program: string,
  args: readonly string[],
  options?: CommandOptions,
): Promise<string> {
  const { exitCode, stdout, stderr } = await runCommand(program, args, options);
  if (exitCode === 0) return stdout;
  const lines = `${stdout}\n${stderr}`.trim().split("\n");
  const why = lines.find((line) => /error/i.test(line)) ?? lines.at(-1) ?? "";
  throw new Unavailable(`${program} ${args.slice(0, 3).join(" ")} … ${endOf(exitCode)}: ${why}`);
}
