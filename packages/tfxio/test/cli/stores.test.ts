import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { output, tfxio } from "./command.js";
import { PEOPLE, peopleFolder } from "./people.js";

const module = path.join(import.meta.dirname, "folder-store.mjs");
let folder: string;
let store: string[];
const at = (name: string): string => path.join(folder, name);
const rows = (text: string): unknown[] =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
beforeAll(async () => {
  folder = await peopleFolder();
  store = ["--store", `${module}=${JSON.stringify({ folder })}`];
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("--store reads URLs and globs with the store's scheme", async () => {
  expect(rows(await output(["cat", ...store, "box://people.csv"]))).toEqual(PEOPLE);
  expect(await output(["count", ...store, "box://people.tfrec*"])).toBe("10\n");
  expect(await output(["count", ...store, "-w", "age > 40", "box://people.parquet"])).toBe("3\n");
});

test("--store lets commands write files, shards and the sets of a split to URLs with the store's scheme", async () => {
  await output(["convert", ...store, "box://people.csv", "box://copy.jsonl"]);
  expect(rows(readFileSync(at("copy.jsonl"), "utf8"))).toHaveLength(PEOPLE.length);
  await output(["convert", ...store, at("people.csv"), "box://parts.jsonl", "--shards", "2"]);
  expect(await output(["count", at("parts.jsonl-*-of-00002"), "--format", "jsonl"])).toBe("5\n");
  await output(["split", ...store, at("people.csv"), "--out", "box://", "--as", "csv", "--test", "20%"]);
  for (const name of ["train.csv", "validation.csv", "test.csv"]) expect(existsSync(at(name))).toBe(true);
});

test("the error for a URL without a store suggests --store", async () => {
  const { code, stderr } = await tfxio(["head", "box://people.csv"]);
  expect(code).toBe(6);
  expect(stderr).toContain("--store MODULE");
  expect((await tfxio(["head", ...store, "box://nope.csv"])).code).toBe(3);
});

test("a module or configuration that yields no store causes a usage error that states the reason", async () => {
  writeFileSync(at("empty.mjs"), "export const name = 1;");
  writeFileSync(at("failing.mjs"), 'export function createStore() { throw new Error("no credentials"); }');
  const cases = [
    [at("nope.mjs"), "cannot be imported"],
    [at("empty.mjs"), "must export createStore(config)"],
    [at("failing.mjs"), "no credentials"],
    [`${module}={folder`, "must be JSON"],
  ] as const;
  for (const [text, message] of cases) {
    const { code, stderr } = await tfxio(["head", "--store", text, "box://people.csv"]);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  }
});
