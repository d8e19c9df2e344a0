import { once } from "node:events";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
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
    [["help", "nonsense"], "error: unknown command 'nonsense'"],
    [["nonsense", "--help"], "error: unknown command 'nonsense'"],
    [["artifacts", "help", "lss"], "Did you mean ls?"],
    [
      ["convert", "a", "b", "--shards", "2", "--shard-rows", "3"],
      "'--shards <number>' cannot be used with option '--shard-rows <rows>'",
    ],
    [
      ["convert", "a", "b", "--shards", "2", "--shard-size", "3"],
      "'--shards <number>' cannot be used with option '--shard-size <bytes>'",
    ],
    [
      ["convert", "a", "b", "--shard-rows", "2", "--shard-size", "3"],
      "'--shard-rows <rows>' cannot be used with option '--shard-size <bytes>'",
    ],
    [["verify", "--where", "a == 1", "x"], "unknown option '--where'"],
    [["verify", "--float64", "float32", "x"], "unknown option '--float64'"],
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
  ])("suggest the option for CSV with %s", async (_, text, hint) => {
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
    "have a code, a hint and a link but no stack, and name a missing or damaged file (%s)",
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

  describe("have a hint that fits the command:", () => {
    const TARGET_FORMAT = "name the format of the target: --to tfrecord, csv, jsonl, parquet, arrow or avro";
    beforeAll(() => {
      writeFileSync(at("text.tfrecord"), "name,age\nAda,36\nAlan,\n");
      writeFileSync(at("wrong.pbtxt"), 'feature { name: "name" type: INT }');
      writeFileSync(at("mixed.jsonl"), '{"a":1}\n{"a":"x"}\n');
    });

    test.each([
      [["head", "--format", "foo", "people.csv"], /hint: name the format: --format /],
      [["convert", "people.csv", "out.foo"], TARGET_FORMAT],
      [["convert", "people.csv", "out.parquet", "--to", "foo"], TARGET_FORMAT],
      [["convert", "people.csv", "out.parquet.gz"], TARGET_FORMAT],
      [["split", "people.csv", "--as", "foo"], TARGET_FORMAT],
      [
        ["cat", "--raw", "people.parquet"],
        "omit --raw, or use a format with separate records, such as TFRecord or JSON Lines",
      ],
      [
        ["head", "--schema", "wrong.pbtxt", "people.jsonl"],
        "correct the column's type in the schema, or leave the column out with --columns",
      ],
      [["head", "mixed.jsonl"], /hint: .*give a schema: --schema FILE/],
      [["convert", "people.csv", "out.tfrecord", "--to", "tfrecord-raw"], /hint: .*use --to tfrecord$/m],
      [["head", "text.tfrecord"], /hint: if the file is not a TFRecord file, name its format: --format ID/],
      [["head", "nope.csv"], "check the path"],
      [["head", "nope*.csv"], "check the pattern; put globs in quotes"],
    ])("%j", async (argv, hint) => {
      const { stderr } = await tfxio(argv.map((word) => (/\.\w/.test(word) ? at(word) : word)));
      if (typeof hint === "string") expect(stderr).toContain(`\n  hint: ${hint}\n`);
      else expect(stderr).toMatch(hint);
    });

    test("a missing URL gets no advice on paths and globs", async () => {
      const server = createServer((_, response) => response.writeHead(404).end()).listen(0, "127.0.0.1");
      try {
        await once(server, "listening");
        const { port } = server.address() as AddressInfo;
        const { code, stderr } = await tfxio(["head", `http://127.0.0.1:${port}/x.csv`]);
        expect(stderr).toContain("\n  hint: check the URL\n");
        expect(code).toBe(3);
      } finally {
        server.close();
      }
    });

    test("a damaged record after the first one gets no advice on the format", async () => {
      const records = readFileSync(at("people.tfrecord"));
      // The second record begins after the first: 8 bytes of length, 4 of checksum, the payload, and 4 of checksum.
      records[16 + Number(records.readBigUInt64LE(0))]! ^= 1;
      writeFileSync(at("second.tfrecord"), records);
      const { stderr } = await tfxio(["cat", at("second.tfrecord")]);
      expect(stderr).toContain("record 1");
      expect(stderr).toContain("\n  hint: tfxio verify shows where the damage in each file begins\n");
    });
  });

  test.each([[["--to", "csv"]], [[]]])("say that a target must be a file (options: %j)", async (to) => {
    for (const target of [folder, `${folder}/`, at("new/")]) {
      const { code, stderr } = await tfxio(["convert", at("people.csv"), target, ...to]);
      expect(stderr).toContain(`The target must be a file, such as ${path.join(target, "data.tfrecord")}`);
      expect(stderr).not.toContain("hint:");
      expect(code).toBe(2);
    }
  });

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
