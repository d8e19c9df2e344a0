import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect, test } from "@jest/globals";

const root = path.resolve(import.meta.dirname, "../../..");
const run = (command: string, args: readonly string[]): { status: number | null; stdout: string } =>
  spawnSync(command, args, { cwd: root, encoding: "utf8", shell: process.platform === "win32" });

const newest = run("npm", ["view", "node", "version"]).stdout.trim();
// Without a registry, the newest Node cannot be installed. The other tests run on the current Node.
const testWithRegistry = /^\d+\.\d+\.\d+$/.test(newest) ? test : test.skip;

testWithRegistry("the quickstart runs on the newest Node that npm offers", () => {
  const withNewest = ["-y", "-p", `node@${newest}`, "node"];
  expect(run("npx", [...withNewest, "--version"]).stdout.trim()).toBe(`v${newest}`);
  const { status, stdout } = run("npx", [...withNewest, "tools/quickstart/dist/cli.js"]);
  expect(status).toBe(0);
  expect(Number(/accuracy (\d\.\d\d)\n$/.exec(stdout)?.[1])).toBeGreaterThanOrEqual(0.95);
});
