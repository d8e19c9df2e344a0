import { expect, test } from "@jest/globals";
import { execFileSync } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";

// Runs the built package without Jest. A trapped engine is replaced through Node's module cache, but Jest has its own cache.
const script = fileURLToPath(new URL("trap-often.mjs", import.meta.url));

test("the Parquet reader still reads an intact file after its engine has trapped on 1500 reads", () => {
  const output = execFileSync(process.execPath, [script], {
    cwd: path.dirname(script),
    encoding: "utf8",
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  expect(JSON.parse(output)).toEqual({ numTraps: 1500, numRows: 7 });
});
