import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { compilePages, createWorkFolder } from "../src/compile.js";
import { examplePages } from "../src/pages.js";

const workFolder = createWorkFolder();
const directory = mkdtempSync(path.join(tmpdir(), "tfxio-beam-examples-"));
const programs = new Map<string, string>();

beforeAll(() => {
  const pages = examplePages().filter(({ name }) => name.startsWith("docs/examples/beam-"));
  for (const { name, errors, modules } of compilePages(pages, workFolder)) {
    expect(errors).toEqual([]);
    programs.set(path.basename(name, ".ts"), modules[0] as string);
  }
}, 120_000);
afterAll(() => {
  for (const folder of [workFolder, directory]) rmSync(folder, { recursive: true, force: true });
});

/** Returns the output lines of a program, including those of Beam's SDK. */
function linesOf(name: string): string[] {
  const { status, stdout, stderr } = spawnSync(process.execPath, [programs.get(name) ?? ""], {
    cwd: directory,
    encoding: "utf8",
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  expect({ status, stderr: status === 0 ? "" : stderr }).toEqual({ status: 0, stderr: "" });
  return stdout.split("\n");
}

test("the combining example counts how often each colour occurs in three files, and computes the mean fare of all rows", () => {
  const lines = linesOf("combine");
  // Colours alternate, and fares cycle through 0.5, 1.5, …, 99.5, which have a mean of 50.
  expect(lines).toEqual(expect.arrayContaining(["count blue 1500", "count red 1500", "mean fare 50"]));
});

test("the converting example reads every row of its shards through the manifest", () => {
  const lines = linesOf("convert");
  const sum = (20_000 * 19_999) / 2;
  expect(lines).toEqual(
    expect.arrayContaining(["manifest 20000 rows", `read 20000 rows, ids add up to ${sum}`]),
  );
  const [, numShards = "0"] = lines.find((line) => line.startsWith("shards "))?.split(" ") ?? [];
  expect(Number(numShards)).toBeGreaterThan(3);
});
