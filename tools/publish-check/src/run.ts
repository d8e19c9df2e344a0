import { spawnSync } from "node:child_process";

/** The result of running a program. */
export interface Run {
  /** Exit code; null if a signal ended the program, or if it could not start. */
  readonly status: number | null;
  /** Standard output followed by standard error, or the reason why the program could not start. */
  readonly output: string;
}

/**
 * Runs a program and waits until it exits.
 * @param added Environment variables to add to those of this process.
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
