import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { temporaryFolder } from "./temporary-store.js";

// dataViewProvider imports a changed module from a new URL. Node caches modules by URL, but Jest caches them by path, so it would
// not import the module again. Therefore, this test runs the built package in Node, without Jest.
test("dataViewProvider imports a module again after the module has changed on disk", () => {
  const folder = temporaryFolder();
  const script = path.join(import.meta.dirname, "changed-module.mjs");
  const { stdout, stderr, status } = spawnSync(process.execPath, [script, folder], { encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(JSON.parse(stdout)).toEqual([["first"], ["second"]]);
});
