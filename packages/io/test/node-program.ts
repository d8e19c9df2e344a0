import { spawnSync } from "node:child_process";
import path from "node:path";

/** Runs the code of a module, which can import the built packages, in a separate process. Returns its output, parsed as JSON. */
export function runProgram(code: string, cwd: string = path.join(import.meta.dirname, "..")): unknown {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
    cwd,
    encoding: "utf8",
    timeout: 50_000,
    maxBuffer: 2 ** 28,
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  if (status !== 0) throw new Error(`the program ended with ${status}: ${stderr}`);
  return JSON.parse(stdout);
}
