import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { temporaryFolder } from "./temporary-store.js";

// Jest caches modules by path, so it would not import the changed module again. Node caches them by URL. So this test runs
// the built package in Node, without Jest.
test("dataViewProvider imports a module again after the module has changed on disk", () => {
  const folder = temporaryFolder();
  const script = path.join(import.meta.dirname, "changed-module.mjs");
  const { stdout, stderr, status } = spawnSync(process.execPath, [script, folder], { encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(JSON.parse(stdout)).toEqual([["first"], ["second"]]);
});
