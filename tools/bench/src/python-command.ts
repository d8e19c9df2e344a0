import { spawnSync } from "node:child_process";
import path from "node:path";

const scripts = path.join(import.meta.dirname, "..", "python");

/** Returns the command line of a script in `python/`. If `taskset` exists, the script runs on core 0 only. */
export function pythonCommand(python: string, script: string, ...args: readonly string[]): readonly string[] {
  const pin = ["taskset", "-c", "0"];
  const canPin = spawnSync("taskset", ["-c", "0", "true"]).status === 0;
  return [...(canPin ? pin : []), python, "-u", path.join(scripts, script), ...args];
}
