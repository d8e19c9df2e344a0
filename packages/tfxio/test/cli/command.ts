import { spawn } from "node:child_process";
import { Interruption, type Host } from "../../src/cli/host.js";
import { run } from "../../src/cli/run.js";

/** The outcome of a command. */
export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stdoutBytes: Buffer;
  readonly stderr: string;
}

/** The environment of a command. */
export interface CommandWorld {
  readonly stdin?: Uint8Array | string;
  /** Makes stdout a terminal of this width. */
  readonly columns?: number;
  readonly hasColour?: boolean;
  readonly signal?: AbortSignal;
}

/** An installed command to test instead of the one in this tree. `pnpm check` sets it. */
export const installedCommand: string | undefined = process.env["TFXIO_COMMAND"];

/**
 * Runs `tfxio` with these arguments. An installed command runs as a child process. If there is none, or if `world` has a
 * terminal, colours or a signal, the command of this tree runs in this process.
 */
export function tfxio(argv: readonly string[], world: CommandWorld = {}): Promise<CommandResult> {
  const needsTerminal = world.columns !== undefined || world.hasColour === true || world.signal !== undefined;
  return installedCommand === undefined || needsTerminal
    ? inProcess(argv, world)
    : spawned(installedCommand, argv, world);
}

/** Runs {@link tfxio}, which must succeed, and returns its output on stdout. */
export async function output(argv: readonly string[], world: CommandWorld = {}): Promise<string> {
  const { code, stdout, stderr } = await tfxio(argv, world);
  if (code !== 0) throw new Error(`tfxio ${argv.join(" ")} ended with ${code}:\n${stderr}`);
  return stdout;
}

async function inProcess(argv: readonly string[], world: CommandWorld): Promise<CommandResult> {
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  const outputTo = (chunks: Buffer[]): Host["stdout"] => ({
    async write(chunk) {
      chunks.push(Buffer.from(chunk as string));
    },
    isTerminal: chunks === out && world.columns !== undefined,
    columns: chunks === out ? world.columns : undefined,
    hasColour: world.hasColour === true,
  });
  const code = await run(argv, {
    stdin: async function* () {
      yield Buffer.from((world.stdin ?? "") as string);
    },
    stdout: outputTo(out),
    stderr: outputTo(err),
    signal: world.signal ?? new AbortController().signal,
  });
  const stdoutBytes = Buffer.concat(out);
  return { code, stdout: stdoutBytes.toString(), stdoutBytes, stderr: Buffer.concat(err).toString() };
}

function spawned(
  command: string,
  argv: readonly string[],
  { stdin = "" }: CommandWorld,
): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, argv, { stdio: "pipe" });
    const [out, err]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
    child.on("error", reject);
    child.on("close", (code) => {
      const stdoutBytes = Buffer.concat(out);
      resolve({
        code: code ?? -1,
        stdout: stdoutBytes.toString(),
        stdoutBytes,
        stderr: Buffer.concat(err).toString(),
      });
    });
    child.stdin.on("error", () => {});
    child.stdin.end(stdin);
  });
}

/** Creates a signal that is already aborted, as after Ctrl-C or after the reader has closed the pipe. */
export const interruptedBy = (by: Interruption["by"]): AbortSignal => AbortSignal.abort(new Interruption(by));
