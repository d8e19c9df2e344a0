import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { builtEntry, packagesReached } from "../packages-reached.js";

const built = path.join(path.dirname(builtEntry("tfxio")), "cli", "main.js");
const testBuilt = existsSync(built) ? test : test.skip;

testBuilt("starting the command loads no external package except commander", () => {
  expect(packagesReached(built)).toEqual(["commander"]);
});

testBuilt("importing tfxio loads apache-arrow, but not commander", () => {
  expect(packagesReached(builtEntry("tfxio"))).toEqual(["apache-arrow"]);
});

testBuilt("the package's bin is the built command", () => {
  const folder = path.join(import.meta.dirname, "../..");
  const { bin } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")) as {
    bin: { tfxio: string };
  };
  expect(path.join(folder, bin.tfxio)).toBe(built);
  expect(readFileSync(built, "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/);
  expect(statSync(built).size).toBeGreaterThan(0);
});
