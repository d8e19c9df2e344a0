import { spawnSync } from "node:child_process";

/** How a program ended. */
export interface Run {
  readonly status: number | null;
  /** Standard output and error, or why the program could not be started. */
  readonly output: string;
}

/** Runs a program to its end. */
export function run(program: string, rest: readonly string[], cwd: string): Run {
  const { status, stdout, stderr, error } = spawnSync(program, rest, { cwd, encoding: "utf8" });
  return { status, output: error === undefined ? `${stdout}${stderr}`.trim() : error.message };
}
