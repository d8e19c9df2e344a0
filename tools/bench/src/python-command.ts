import { spawnSync } from "node:child_process";
import path from "node:path";

const scripts = path.join(import.meta.dirname, "..", "python");

/** The command line of a script in `python/`, pinned to one core if `taskset` exists. */
export function pythonCommand(python: string, script: string, ...args: readonly string[]): readonly string[] {
  const pin = ["taskset", "-c", "0"];
  const canPin = spawnSync("taskset", ["-c", "0", "true"]).status === 0;
  return [...(canPin ? pin : []), python, "-u", path.join(scripts, script), ...args];
}
