import { expect, test } from "@jest/globals";
import { execFileSync } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";

// In a process of its own, with what is published: the engine is loaded anew through Node's cache of modules.
const script = fileURLToPath(new URL("trap-often.mjs", import.meta.url));

test("reads on after files on which the engine traps, however many", () => {
  const output = execFileSync(process.execPath, [script], {
    cwd: path.dirname(script),
    encoding: "utf8",
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  expect(JSON.parse(output)).toEqual({ numTraps: 1500, numRows: 7 });
});
