import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { installedCommand, interruptedBy, tfxio } from "./command.js";
import { peopleFolder, wideFile } from "./people.js";

let folder: string;
const at = (name: string): string => path.join(folder, name);
beforeAll(async () => {
  folder = await peopleFolder();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a wrong command line", () => {
  test.each([
    [["hed"], "Did you mean head?"],
    [["head", "--limitt", "3", "x"], "Did you mean --limit?"],
    [["head", "-n", "many", "x"], "It must be an integer of at least 0."],
    [["convert", "only-one"], "convert requires sources and a target"],
    [["convert", "a", "b", "--shard-size", "much"], "It must be a size"],
    [["split", "a", "--validation", "2"], "It must be a share"],
    [["head", "-O", "nothing", "x"], "It must be name=value"],
    [["head"], "missing required argument 'sources'"],
  ])("%j ends with exit code 2 and an explanation", async (argv, message) => {
    const { code, stdout, stderr } = await tfxio(argv);
    expect(stderr).toContain(message);
    expect([code, stdout]).toEqual([2, ""]);
  });

  test("with an unknown column gets a suggestion of the nearest column, or a list of the columns", async () => {
    for (const argv of [
      ["head", "-c", "agee"],
      ["count", "-w", "Age > 3"],
    ]) {
      const { code, stderr } = await tfxio([...argv, at("people.tfrecord")]);
      expect(stderr).toContain('Did you mean "age"?');
      expect(code).toBe(5);
    }
    const { stderr } = await tfxio(["head", "-c", "nothing", at("people.csv")]);
    expect(stderr).toContain("The columns are name, age, city, score.");
  });

  test("with a mistake in a predicate gets a caret at the mistake", async () => {
    const { code, stderr } = await tfxio(["head", "-w", 'age >= 18 and country = "DE"', at("people.csv")]);
    expect(code).toBe(2);
    const [, text = "", caret = ""] = stderr.split("\n").filter((line) => line !== "");
    expect(text).toBe('  age >= 18 and country = "DE"');
    expect(text.charAt(caret.indexOf("^"))).toBe("=");
  });
});

describe("errors", () => {
  test.each([
    ["a different delimiter", "a;b\n1,5;x\n", "--option delimiter=';'"],
    ["a duplicate column name", "id,id\n1,2\n", "--option onBadName=number"],
  ])("in CSV with %s suggest the option that helps", async (_, text, hint) => {
    const { stderr } = await tfxio(["head", "--format", "csv", "-"], { stdin: text });
    expect(stderr).toContain(hint);
  });

  test.each([
    ["a missing file", ["head", "nope.csv"], 3, "[not-found]"],
    ["an unknown format", ["head", "--format", "xls", "people.csv"], 2, "[unknown-format]"],
    ["a file that is not a schema", ["head", "--schema", "people.csv", "people.csv"], 5, "[schema-invalid]"],
    ["an unsupported operation", ["index", "people.tfrecord.gz"], 6, "[unsupported]"],
    ["a target that is a source", ["convert", "people.csv", "people.csv"], 2, "[invalid-argument]"],
    ["a damaged file", ["cat", "damaged.tfrecord"], 4, "[corrupt-record]"],
  ])(
    "for %s have a code, a hint and a link but no stack, and locate unreadable files",
    async (_, argv, exitCode, errorCode) => {
      const bytes = await wideFile();
      bytes[20]! ^= 1;
      writeFileSync(at("damaged.tfrecord"), bytes);
      const paths = argv.map((word) => (word.includes(".") ? at(word) : word));
      const { code, stderr } = await tfxio(paths);
      expect(code).toBe(exitCode);
      expect(stderr).toContain(`error ${errorCode}`);
      expect(stderr).toMatch(/\n {2}hint: \S/);
      expect(stderr).toMatch(/\n {2}see: https:\/\/\S+\/docs\/errors\.md#[a-z0-9-]+\n/);
      expect(stderr).not.toMatch(/\n\s+at .*:\d+:\d+/);
      if (exitCode >= 3 && exitCode <= 4) expect(stderr).toContain(`  at ${paths.at(-1)}`);
    },
  );

  test("escape control characters, as tables do", async () => {
    writeFileSync(at("escapes.csv"), "\u001B[2Jid,n\n1,2\n");
    const { stdout } = await tfxio(["head", at("escapes.csv")]);
    const { stderr } = await tfxio(["head", "-c", "nothing", at("escapes.csv")]);
    for (const text of [stdout, stderr]) {
      expect(text).toContain(String.raw`\u001b[2Jid`);
      expect(text).not.toContain("\u001B");
    }
  });

  test("show their stack and causes with --debug", async () => {
    const { stderr } = await tfxio(["head", "--debug", at("nope.csv")]);
    expect(stderr).toMatch(/\n\s+at .*:\d+:\d+/);
    expect(stderr).toContain("caused by");
  });
});

const testHere = installedCommand === undefined ? test : test.skip;

testHere("an interrupted command prints one line, and leaves no file", async () => {
  const world = { signal: interruptedBy("SIGINT") };
  const { code, stderr } = await tfxio(["convert", at("people.csv"), at("out.parquet")], world);
  expect([code, stderr]).toEqual([130, "Interrupted. No file was left incomplete.\n"]);
  expect((await tfxio(["count", at("out.parquet")])).code).toBe(3);
});
