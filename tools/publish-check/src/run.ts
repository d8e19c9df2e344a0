import { spawnSync } from "node:child_process";

/** How a program ended. */
export interface Run {
  readonly status: number | null;
  /** Standard output and error, or why the program could not be started. */
  readonly output: string;
}

/** Runs a program to its end. @param added variables beside those of this process. */
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
