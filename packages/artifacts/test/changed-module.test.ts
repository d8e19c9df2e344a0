import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { temporaryFolder } from "./temporary-store.js";

// Jest keeps modules by path; Node keeps them by URL. So this runs the built package.
test("a module that has changed under its path is imported anew", () => {
  const folder = temporaryFolder();
  const script = path.join(import.meta.dirname, "changed-module.mjs");
  const { stdout, stderr, status } = spawnSync(process.execPath, [script, folder], { encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(JSON.parse(stdout)).toEqual([["first"], ["second"]]);
});
