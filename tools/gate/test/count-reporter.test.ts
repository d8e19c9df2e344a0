import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";

const repository = path.join(import.meta.dirname, "..", "..", "..");
const folder = mkdtempSync(path.join(tmpdir(), "tfxio-count-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs jest with the reporter on CommonJS test files. */
function runJest(files: Readonly<Record<string, string>>) {
  const root = mkdtempSync(path.join(folder, "run-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(root, name), text);
  const config = {
    rootDir: root,
    testMatch: ["**/*.case.cjs"],
    transform: {},
    reporters: ["default", path.join(repository, "tools", "gate", "count-reporter.mjs")],
  };
  const jest = path.join(repository, "node_modules", "jest", "bin", "jest.js");
  const { status, stdout } = spawnSync(process.execPath, [jest, "-i", "--config", JSON.stringify(config)], {
    cwd: root,
    encoding: "utf8",
  });
  return { status, lastLine: stdout.trimEnd().split("\n").at(-1) };
}

describe("the count reporter", () => {
  test("prints jest's count as the last line", () => {
    expect(
      runJest({ "a.case.cjs": "test('a', () => {}); test.skip('b', () => {}); test.todo('c');" }),
    ).toEqual({ status: 0, lastLine: "1 passed, 0 failed, 2 skipped" });
  });

  test("counts one failure for each suite that cannot run", () => {
    const files = {
      "good.case.cjs": "test('a', () => {});",
      "bad.case.cjs": "test('b', () => { throw new Error('no'); });",
      "broken.case.cjs": "require('./no-such-module.cjs');",
    };
    expect(runJest(files)).toEqual({ status: 1, lastLine: "1 passed, 2 failed, 0 skipped" });
  });
});
