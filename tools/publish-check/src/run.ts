import { spawnSync } from "node:child_process";

/** The outcome of a program. */
export interface Run {
  /** Exit code; null if a signal ended the program or it could not start. */
  readonly status: number | null;
  /** Standard output, then standard error; or the reason why the program could not start. */
  readonly output: string;
}

/**
 * Runs a program and waits until it ends.
 * @param added Environment variables, in addition to those of this process.
 */
export function run(
  program: string,
  rest: readonly string[],
  cwd: string,
  added: Readonly<Record<string, string>> = {},
): Run {
  const env = { ...process.env, ...added };
  const { status, stdout, stderr, error } = spawnSync(program, rest, { cwd, env, encoding: "utf8" });
  return { status, output: error === undefined ? `${stdout}${stderr}`.trim() : error.message };
}
