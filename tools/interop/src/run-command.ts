import { spawn } from "node:child_process";
import { Unavailable } from "./interop.js";

/** How a command is run. */
export interface CommandOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Written to its standard input. */
  readonly input?: string;
  /** After this the command is ended. Default ten minutes: wheels are large. */
  readonly timeoutMs?: number;
}

/** What a command came to. */
export interface CommandResult {
  /** Undefined when a signal ended it. */
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command to its end. @throws {Unavailable} if the program does not exist. */
export async function runCommand(
  program: string,
  args: readonly string[],
  { cwd, env, input = "", timeoutMs = 600_000 }: CommandOptions = {},
): Promise<CommandResult> {
  // The option `timeout` of spawn keeps its timer when the program does not exist.
  const child = spawn(program, args, {
    cwd,
    env,
    signal: AbortSignal.timeout(timeoutMs),
    stdio: ["pipe", "pipe", "pipe"],
  });
  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
  // A program that ends without reading its input closes the pipe; its exit code shows the failure.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const exitCode = await new Promise<number | undefined>((resolve, reject) => {
    child.on("error", (error) => reject(new Unavailable(`${program} cannot be run: ${error.message}`)));
    child.on("close", (code) => resolve(code ?? undefined));
  });
  return { exitCode, ...output };
}

/**
 * Runs a command that prepares foreign software. @throws {Unavailable} with its first line about an error, else its
 * last one, when it fails.
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
  throw new Unavailable(
    `${program} ${args.slice(0, 3).join(" ")} … ended with ${exitCode ?? "a signal"}: ${why}`,
  );
}
