import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { encodeExample, encodeTfRecords, openTfxio } from "tfxio";
import { parseProto } from "tfxio/protobuf";
import { decodeTfRecordIndex } from "tfxio/tfrecord";
import { output, tfxio } from "./command.js";
import { PEOPLE, PEOPLE_FILES, peopleFolder, readingArguments } from "./people.js";

let folder: string;
const at = (...names: string[]): string => path.join(folder, ...names);
beforeAll(async () => {
  folder = await peopleFolder();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const rowsOf = async (...argv: string[]): Promise<unknown[]> =>
  (await output(["cat", ...argv]))
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as unknown);
const written = async (argv: readonly string[]) =>
  JSON.parse(await output([...argv, "--json"])) as {
    uris: string[];
    numRows: number;
    numBytes: number;
    numResumed: number;
  };
/** Creates a separate folder for the files of a test. */
const fresh = (name: string): string => {
  mkdirSync(at(name));
  return at(name);
};

describe("convert", () => {
  const targets = [
    "out.csv",
    "out.jsonl",
    "out.tfrecord",
    "out.tfrecord.gz",
    "out.parquet",
    "out.arrow",
    "out.avro",
  ];

  test.each(PEOPLE_FILES)("writes the rows of %s to seven kinds of files", async (file) => {
    const out = fresh(`from-${file}`);
    const schema = [
      "--schema",
      at("schema.pbtxt"),
      ...(file === "people.jsonl" ? ["--float64", "float32-lossy"] : []),
    ];
    for (const target of targets) {
      const { uris, numRows } = await written([
        "convert",
        ...schema,
        ...readingArguments(folder, file),
        path.join(out, target),
      ]);
      expect([uris, numRows]).toEqual([[path.join(out, target)], 5]);
      expect(await rowsOf(path.join(out, target))).toEqual(PEOPLE);
    }
  });

  test("infers a schema if none is given", async () => {
    const out = at("inferred.parquet");
    await written(["convert", at("people.tfrecord.gz"), out]);
    expect(await rowsOf(out)).toEqual(PEOPLE);
  });

  test("writes CSV columns as flat Parquet columns", async () => {
    const out = at("flat.parquet");
    await written(["convert", at("people.csv"), out]);
    const { arrowSchema } = await (await openTfxio(out, { columnForm: "stored" })).plan();
    expect(arrowSchema?.fields.map(String)).toEqual([
      "name: Binary",
      "age: Int64",
      "city: Binary",
      "score: Float32",
    ]);
  });

  test("writes only the selected columns and rows, up to a limit, and accepts a compression option", async () => {
    const out = at("some.parquet");
    const argv = [
      "convert",
      at("people.csv"),
      out,
      "-c",
      "age,name",
      "-w",
      "score > 0",
      "-T",
      "compression=zstd",
    ];
    expect(await written(argv)).toMatchObject({ numRows: 3 });
    const compressed = readFileSync(out);
    await written([...argv.slice(0, -1), "compression=none"]);
    expect(readFileSync(out)).not.toEqual(compressed);
    expect(await rowsOf(out)).toEqual(
      PEOPLE.filter(({ score }) => score !== null && score[0] > 0).map(({ name, age }) => ({ name, age })),
    );
    expect(await written(["convert", at("people.csv"), at("two.csv"), "-n", "2"])).toMatchObject({
      numRows: 2,
    });
    expect(await rowsOf(at("two.csv"))).toEqual(PEOPLE.slice(0, 2));
  });

  test.each([
    [
      ["--shards", "2"],
      [2, 3],
    ],
    [
      ["--shard-rows", "2"],
      [2, 2, 1],
    ],
    [["--shard-size", "1"], [5]],
  ])("writes shards in row order with %j", async (options, sizes) => {
    const out = path.join(fresh(`shards${options.join("")}`), "out.tfrecord");
    const { uris } = await written(["convert", at("people.csv"), out, ...options]);
    const counts = await Promise.all(uris.map(async (uri) => Number(await output(["count", uri]))));
    expect(counts).toEqual(sizes);
    expect(await rowsOf(`${out}-*`)).toEqual(PEOPLE);
  });

  test("converts stdin to one file, and rejects --shard-rows for stdin", async () => {
    const argv = ["convert", "--format", "csv", "-", at("piped.arrow"), "--shard-rows", "2"];
    const one = await tfxio(argv.slice(0, -2), { stdin: readFileSync(at("people.csv")) });
    expect(one.code).toBe(0);
    expect(await rowsOf(at("piped.arrow"))).toEqual(PEOPLE);
    const shards = await tfxio(argv, { stdin: readFileSync(at("people.csv")) });
    expect([shards.code, shards.stderr]).toEqual([
      2,
      expect.stringContaining("--shard-rows cannot be combined"),
    ]);
  });

  test.each([[[]], [["--shards", "2", "--limit", "3"]]])(
    "rejects --restart with the options %j, because nothing can be resumed",
    async (options) => {
      const out = path.join(fresh(`restart${options.length}`), "out.tfrecord");
      const { code, stderr } = await tfxio(["convert", at("people.csv"), out, ...options, "--restart"]);
      expect([code, stderr]).toEqual([2, expect.stringContaining("--restart requires --shards")]);
    },
  );

  test("leaves no files when it fails", async () => {
    const out = fresh("failing");
    const bytes = readFileSync(at("people.tfrecord"));
    bytes[bytes.length - 1]! ^= 1;
    writeFileSync(at("broken.tfrecord"), bytes);
    const argv = [
      "convert",
      "--schema",
      at("schema.pbtxt"),
      at("broken.tfrecord"),
      path.join(out, "out.csv"),
    ];
    expect((await tfxio(argv)).code).toBe(4);
    expect(readdirSync(out)).toEqual([]);
  });
});

test.each(["split", "verify", "index"])(
  "%s rejects stdin before it reads or writes anything",
  async (command) => {
    const out = fresh(`no-stdin-${command}`);
    const argv = command === "index" ? [] : ["--format", "csv"];
    if (command === "split") argv.push("--out", out);
    const { code, stdout, stderr } = await tfxio([command, ...argv, "-"], {
      stdin: readFileSync(at("people.csv")),
    });
    expect(stderr).toMatch(
      new RegExp(
        `^error .unsupported. tfxio ${command} requires files, found - .stdin.\\.\\n {2}hint: save stdin to a file first\\n`,
      ),
    );
    expect([code, stdout, readdirSync(out)]).toEqual([6, "", []]);
  },
);

test("split writes nothing if one of its sets would replace a source", async () => {
  const out = fresh("own-sets");
  const source = path.join(out, "validation.csv");
  writeFileSync(source, readFileSync(at("people.csv")));
  const { code, stderr } = await tfxio(["split", source, "--out", out, "--as", "csv"]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("would replace")]);
  expect(readdirSync(out)).toEqual(["validation.csv"]);
});

test.each([
  ["split", "--out", "sets"],
  ["convert", "out.csv"],
])("%s reports a target that cannot be created because its folder is a file", async (...argv) => {
  writeFileSync(at("a-file"), "");
  const [command = "", ...target] = argv;
  const paths = target.map((word) => (word.startsWith("-") ? word : at("a-file", word)));
  const { code, stdout, stderr } = await tfxio([command, at("people.csv"), ...paths]);
  expect(stderr).toContain(paths.at(-1));
  expect([code, stdout]).toEqual([3, ""]);
});

describe("a protobuf target", () => {
  const type = async (): Promise<readonly string[]> => {
    const text = `syntax = "proto2"; message Row { optional string name = 1; optional int64 age = 2; }`;
    const { descriptor, message } = await parseProto({ "row.proto": text }, "Row");
    return ["-T", `descriptor=${descriptor}`, "-T", `message=${message}`];
  };

  test.each([
    ["convert", ["people.csv", "out.pbd"]],
    ["convert", ["people.csv", "out.delimited.gz"]],
    ["convert", ["people.csv", "out.bin", "--to", "protobuf"]],
    ["convert", ["people.csv", "out.tfrecord", "--to", "tfrecord-protobuf"]],
    ["convert", ["people.pbd", "out.pbd", "--proto", "people.proto", "--message", "demo.Person"]],
    ["convert", ["people.csv", "out.pbd", "-T", "message=Row"]],
    ["split", ["people.csv", "--as", "pbd"]],
  ])(
    "is rejected if target options do not give the message type, and the error lists the formats that do not require a message type: %s %j",
    async (command, argv) => {
      const paths = argv.map((word) => (/^(people|out)\./.test(word) ? at(word) : word));
      const { code, stdout, stderr } = await tfxio([command, ...paths]);
      expect(stderr).toContain("can be written only with -T descriptor=BASE64");
      expect(stderr).toContain("tfrecord, csv, jsonl, parquet, arrow and avro");
      expect([code, stdout]).toEqual([2, ""]);
    },
  );

  test.each([
    ["typed.pbd", "protobuf"],
    ["typed.tfrecord", "tfrecord-protobuf"],
  ])("is written to %s if target options give the message type", async (name, format) => {
    const target = [at(name), "--to", format, ...(await type())];
    expect(await written(["convert", at("people.csv"), "-c", "name,age", ...target])).toMatchObject({
      numRows: 5,
    });
    const options = (await type()).map((word) => (word === "-T" ? "-O" : word));
    const rows = await rowsOf(at(name), "--format", format, ...options);
    expect(rows).toEqual(PEOPLE.map(({ name: person, age }) => ({ name: person, age })));
  });
});

describe("split", () => {
  test("rejects a file as --out, before it reads anything", async () => {
    writeFileSync(at("a-file"), "");
    const { code, stdout, stderr } = await tfxio(["split", at("nope.csv"), "--out", at("a-file")]);
    expect(stderr).toContain(`--out must be a folder, found the file ${at("a-file")}.`);
    expect([code, stdout]).toEqual([2, ""]);
  });

  test("divides all rows into sets, and writes the same validation set in a second run", async () => {
    const out = at("sets");
    const argv = [
      "split",
      at("people.csv"),
      "--out",
      out,
      "--as",
      "jsonl",
      "--validation",
      "30%",
      "--test",
      "0.3",
      "--by",
      "name",
    ];
    const summaries = (await output([...argv, "--json"]))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { numRows: number });
    expect(summaries.map(({ numRows }) => numRows).reduce((sum, count) => sum + count)).toBe(5);
    const parts = await Promise.all(
      ["train", "validation", "test"].map((name) =>
        rowsOf(path.join(out, `${name}.jsonl`), "--schema", at("schema.pbtxt"), "--float64", "float32-lossy"),
      ),
    );
    expect(parts.flat()).toHaveLength(5);
    expect(parts.flat()).toEqual(expect.arrayContaining(PEOPLE as never));
    const before = readFileSync(path.join(out, "validation.jsonl"), "utf8");
    await output(argv);
    expect(readFileSync(path.join(out, "validation.jsonl"), "utf8")).toBe(before);
  });

  test("writes two sets without --test, in shards on request", async () => {
    const out = at("two-sets");
    await output([
      "split",
      at("people.csv"),
      "-o",
      out,
      "--as",
      "tfrecord",
      "--validation",
      "0.5",
      "--shards",
      "2",
    ]);
    expect(readdirSync(out).filter((name) => !name.startsWith("."))).toEqual([
      "train.tfrecord-00000-of-00002",
      "train.tfrecord-00001-of-00002",
      "validation.tfrecord-00000-of-00002",
      "validation.tfrecord-00001-of-00002",
    ]);
  });
});

describe("index", () => {
  test("writes the offset of each record", async () => {
    expect(await output(["index", at("people.tfrecord")])).toMatch(
      /people\.tfrecord\.index: 5 records, \d+ B\n$/,
    );
    const { numRecords, offsets } = decodeTfRecordIndex(readFileSync(at("people.tfrecord.index")));
    const file = readFileSync(at("people.tfrecord"));
    const expected = [0];
    while (expected.at(-1) < file.length) {
      const start = expected.at(-1);
      expected.push(start + 16 + Number(file.readBigUInt64LE(start)));
    }
    expect([numRecords, ...offsets]).toEqual([5, ...expected]);
  });
});

describe("verify", () => {
  test.each(PEOPLE_FILES)("finds %s sound", async (file) => {
    const { code, stdout } = await tfxio(["verify", ...readingArguments(folder, file)]);
    expect(stdout).toContain("1 file, 5 rows,");
    expect(stdout).toContain("all sound");
    expect(code).toBe(0);
  });

  test("reports damage, truncation and drift of each file, and ends with exit code 1", async () => {
    const file = readFileSync(at("people.tfrecord"));
    const flipped = Buffer.from(file);
    flipped[20]! ^= 1;
    const other = await encodeTfRecords([encodeExample({ name: { kind: "int64", values: [1] } })]);
    for (const [name, bytes] of Object.entries({ a: file, b: flipped, c: file.subarray(0, -3), d: other }))
      writeFileSync(at(`check-${name}.tfrecord`), bytes);
    const { code, stdout } = await tfxio(["verify", at("check-*.tfrecord")]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/check-a\.tfrecord +tfrecord +5 .* sound$/m);
    expect(stdout).toMatch(/check-b\.tfrecord +tfrecord +0 .* payload-crc$/m);
    expect(stdout).toMatch(/check-c\.tfrecord +tfrecord +4 .* record-footer$/m);
    expect(stdout).toMatch(/check-d\.tfrecord +tfrecord +1 .* drift$/m);
    expect(stdout).toContain("4 files, 10 rows,");
    expect(stdout).toContain("2 damaged, 1 drifted");
    const json = await tfxio(["verify", "--json", at("check-b.tfrecord")]);
    expect(JSON.parse(json.stdout)).toMatchObject({
      damage: { code: "corrupt-record", recordIndex: 0, byteOffset: 0 },
    });
    expect((await tfxio(["verify", "--no-drift", at("check-a.tfrecord"), at("check-d.tfrecord")])).code).toBe(
      0,
    );
  });

  test("checks files against a schema, or checks only their framing", async () => {
    const text = await encodeTfRecords([new TextEncoder().encode("no example")]);
    writeFileSync(at("text.tfrecord"), text);
    expect((await tfxio(["verify", at("text.tfrecord")])).code).toBe(1);
    expect((await tfxio(["verify", "--format", "tfrecord-raw", at("text.tfrecord")])).code).toBe(0);
    writeFileSync(at("wrong.pbtxt"), 'feature { name: "age" type: BYTES }');
    expect((await tfxio(["verify", "--schema", at("wrong.pbtxt"), at("people.tfrecord")])).stdout).toContain(
      "wrong-kind",
    );
  });
});

describe("the program", () => {
  test("prints the version of the package for --version", async () => {
    const manifest = JSON.parse(
      readFileSync(path.join(import.meta.dirname, "../../package.json"), "utf8"),
    ) as { version: string };
    expect(await output(["--version"])).toBe(`${manifest.version}\n`);
  });

  test("shows examples first in its help and in the help of commands", async () => {
    expect(await output(["--help"])).toMatch(/^Examples:\n {2}\$ tfxio head/);
    expect(await output(["help"])).toMatch(/^Examples:/);
    for (const name of [
      "head",
      "tail",
      "sample",
      "cat",
      "count",
      "schema",
      "explain",
      "tensors",
      "verify",
      "convert",
      "split",
      "index",
      "doctor",
    ])
      expect(await output([name, "--help"])).toMatch(new RegExp(`^Examples:\\n {2}\\$ .*tfxio ${name}`));
  });

  test("limits the help of each command to what that command supports", async () => {
    const help = async (name: string): Promise<string> =>
      (await output([name, "--help"])).replaceAll(/\s+/g, " ");
    for (const name of [
      "head",
      "tail",
      "sample",
      "cat",
      "count",
      "schema",
      "explain",
      "tensors",
      "convert",
      "serve",
    ])
      expect(await help(name)).toContain("or - for stdin");
    for (const name of ["verify", "split", "index"]) expect(await help(name)).not.toContain("stdin");
    for (const option of ["--where", "--float64"]) expect(await help("verify")).not.toContain(option);
    expect(await help("tensors")).toContain("one line per tensor as JSON");
    expect(await help("head")).toContain("one line per row as JSON");
    expect(await help("complete")).toMatch(/\[shell\] [A-Z][^:]*\. Arguments:/);
    expect(await help("serve")).toContain("(default: a free TCP port on this machine)");
    for (const name of ["convert", "serve", "index"])
      expect(await help(name)).not.toMatch(/default: (?:none|[[{])/);
    for (const name of ["head", "convert"]) expect(await help(name)).toContain("JSON value");
  });

  test("has a doctor command, which reports the runtime, kernels, threads and backends", async () => {
    const diagnosis = JSON.parse(await output(["doctor", "--json"])) as Record<string, unknown>;
    expect(diagnosis).toMatchObject({
      node: process.versions.node,
      arrow: expect.stringMatching(/^21\./),
      kernels: { name: "wasm", reason: expect.any(String) },
      threads: { cores: expect.any(Number) },
      backends: expect.any(Array),
      advice: expect.any(Array),
    });
    const text = await output(["doctor"]);
    for (const part of ["Node", "kernels", "apache-arrow", "threads"]) expect(text).toContain(part);
  });
});
