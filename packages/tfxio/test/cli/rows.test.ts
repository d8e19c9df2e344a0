import { readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { encodeTfRecords } from "tfxio";
import { parseProto } from "tfxio/protobuf";
import { installedCommand, interruptedBy, output, tfxio } from "./command.js";
import { PEOPLE, PEOPLE_FILES, peopleFolder, readingArguments, wideFile } from "./people.js";

let folder: string;
const at = (name: string): string => path.join(folder, name);
beforeAll(async () => {
  folder = await peopleFolder();
  writeFileSync(at("wide.tfrecord"), await wideFile());
  const delimited = readFileSync(at("people.pbd"));
  const messages: Uint8Array[] = [];
  for (let start = 0; start < delimited.length; start += 1 + delimited[start]!)
    messages.push(delimited.subarray(start + 1, start + 1 + delimited[start]!));
  writeFileSync(at("messages.tfrecord"), await encodeTfRecords(messages));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const lines = (text: string): unknown[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as unknown);
const golden = (name: string): string => readFileSync(path.join(import.meta.dirname, "golden", name), "utf8");

describe.each(PEOPLE_FILES)("for %s,", (file) => {
  const reading = (): string[] => readingArguments(folder, file);

  test("head shows the first rows", async () => {
    expect(lines(await output(["head", "--json", "-n", "2", ...reading()]))).toEqual(PEOPLE.slice(0, 2));
  });

  test("tail shows the last rows", async () => {
    expect(lines(await output(["tail", "--json", "-n", "2", ...reading()]))).toEqual(PEOPLE.slice(-2));
  });

  test("sample draws the requested number of rows, and repeats the draw for the same seed", async () => {
    const draw = async () =>
      lines(await output(["sample", "--json", "-n", "3", "--seed", "5", ...reading()]));
    const rows = await draw();
    expect(rows).toHaveLength(3);
    expect(PEOPLE).toEqual(expect.arrayContaining(rows));
    expect(await draw()).toEqual(rows);
  });

  test("cat writes all rows or, with a limit, the first rows", async () => {
    expect(lines(await output(["cat", ...reading()]))).toEqual(PEOPLE);
    expect(lines(await output(["cat", "-n", "3", ...reading()]))).toEqual(PEOPLE.slice(0, 3));
  });

  test("count counts all rows, or only the rows that match a predicate", async () => {
    expect(await output(["count", ...reading()])).toBe("5\n");
    expect(await output(["count", "--json", "-w", 'age == 85 and city == "New York"', ...reading()])).toBe(
      '{"numRows":1}\n',
    );
  });

  test("head shows only the selected columns, and only the rows that match a predicate", async () => {
    const rows = lines(
      await output(["head", "--json", "-c", "name,age", "-w", "score < 0 or age is null", ...reading()]),
    );
    expect(rows).toEqual([
      { name: ["Alan"], age: null },
      { name: ["Konrad"], age: [85] },
    ]);
  });
});

describe("sources", () => {
  test("can be given as a glob or as several paths", async () => {
    expect(await output(["count", at("people.tfrecord*")])).toBe("10\n");
    expect(await output(["count", at("people.tfrecord"), at("people.tfrecord.gz")])).toBe("10\n");
  });

  test("can be stdin, given as -", async () => {
    const stdin = readFileSync(at("people.csv"));
    expect(lines(await output(["head", "--json", "--format", "csv", "-"], { stdin }))).toEqual(PEOPLE);
    const examples = readFileSync(at("people.tfrecord"));
    expect(await output(["count", "--format", "tfrecord", "-"], { stdin: examples })).toBe("5\n");
  });

  test("are read with the format options of -O", async () => {
    writeFileSync(at("semicolons.csv"), "a;b\n1;NA\n");
    const argv = ["head", "--json", "-O", "delimiter=;", "-O", 'nullMarkers=["NA"]', at("semicolons.csv")];
    expect(lines(await output(argv))).toEqual([{ a: [1], b: null }]);
  });

  test("of protobuf messages can also be TFRecord files", async () => {
    const messages = at("messages.tfrecord");
    const [, ...type] = readingArguments(folder, "people.pbd");
    const rows = lines(await output(["head", "--json", ...readingArguments(folder, "people.pbd")]));
    expect(rows).toHaveLength(5);
    expect(lines(await output(["head", "--json", ...type, messages]))).toEqual(rows);
  });

  const [PROTO, MESSAGE] = ["--proto FILE (a .proto file", "--message TYPE (the full name of their type)"];
  test.each([
    ["messages.tfrecord", ["--proto", "people.proto"], [MESSAGE], [PROTO]],
    ["messages.tfrecord", ["--message", "demo.Person"], [PROTO], [MESSAGE]],
    ["messages.tfrecord", ["--format", "tfrecord-protobuf"], [PROTO, MESSAGE], []],
    ["messages.tfrecord", ["--format", "protobuf"], [PROTO, MESSAGE], []],
    ["people.pbd", [], [PROTO, MESSAGE], []],
    ["people*.pbd", [], [PROTO, MESSAGE], []],
  ])(
    "of protobuf messages cause an error that lists the missing options if the message type is not given: %s %j",
    async (file, options, missing, given) => {
      const argv = options.map((word) => (word.endsWith(".proto") ? at(word) : word));
      const { code, stderr } = await tfxio(["head", ...argv, at(file)]);
      expect(stderr).toContain("Reading protobuf messages requires ");
      for (const option of missing) expect(stderr).toContain(option);
      for (const option of given) expect(stderr).not.toContain(option);
      expect(code).toBe(2);
    },
  );

  test("of protobuf messages can also be read with the message type in format options", async () => {
    const proto = readFileSync(at("people.proto"), "utf8");
    const { descriptor, message } = await parseProto({ "people.proto": proto }, "demo.Person");
    const type = ["-O", `descriptor=${descriptor}`, "-O", `message=${message}`];
    expect(await output(["count", ...type, at("people.pbd")])).toBe("5\n");
    expect(await output(["count", "--format", "protobuf", ...type, at("people.pbd")])).toBe("5\n");
  });
});

test.each(["protobuf", "tfrecord", "tfrecord-protobuf"])(
  "--proto can be combined with --format %s",
  async (format) => {
    const file = format === "protobuf" ? "people.pbd" : "messages.tfrecord";
    const [, ...type] = readingArguments(folder, "people.pbd");
    expect(await output(["count", "--format", format, ...type, at(file)])).toBe("5\n");
  },
);

test.each(["csv", "tfrecord-raw", "foo"])("--proto cannot be combined with --format %s", async (format) => {
  const argv = ["head", "--format", format, ...readingArguments(folder, "people.pbd")];
  const { code, stdout, stderr } = await tfxio(argv);
  expect(stderr).toContain(
    `--format ${format} cannot be combined with --proto; use protobuf, tfrecord or tfrecord-protobuf.`,
  );
  expect([code, stdout]).toEqual([2, ""]);
});

describe("cat --record", () => {
  test("writes only the row with the given number", async () => {
    for (const [number, row] of PEOPLE.entries())
      expect(lines(await output(["cat", "--record", String(number), at("people.csv")]))).toEqual([row]);
  });

  test.each([[[]], [["--raw"]]])("rejects a number that no row has (other options: %j)", async (raw) => {
    for (const number of ["5", "99"]) {
      const { code, stdout, stderr } = await tfxio([
        "cat",
        ...raw,
        "--record",
        number,
        at("people.tfrecord"),
      ]);
      expect(stderr).toContain(
        `Record ${number} does not exist: --record counts from 0, and there are 5 rows.`,
      );
      expect(stderr).toContain("docs/errors.md#row-number");
      expect([code, stdout]).toEqual([2, ""]);
    }
  });
});

describe("cat --raw", () => {
  test("writes the payload of one record", async () => {
    const { stdoutBytes } = await tfxio(["cat", "--raw", "--record", "2", at("people.tfrecord")]);
    const file = readFileSync(at("people.tfrecord"));
    let offset = 0;
    for (let record = 0; record < 2; record++) offset += 16 + Number(file.readBigUInt64LE(offset));
    const length = Number(file.readBigUInt64LE(offset));
    expect(stdoutBytes).toEqual(file.subarray(offset + 12, offset + 12 + length));
  });

  test("writes the bytes of each line, without line ends", async () => {
    expect(await output(["cat", "--raw", "-n", "2", at("people.jsonl")])).toBe(
      readFileSync(at("people.jsonl"), "utf8").split("\n").slice(0, 2).join(""),
    );
  });
});

test.each(["head", "tail", "sample"])(
  '%s prints "No rows." for a file without rows, but not for a limit of 0 rows',
  async (command) => {
    writeFileSync(at("header.csv"), "a,b\n");
    const empty = await tfxio([command, at("header.csv")]);
    expect([empty.code, empty.stdout, empty.stderr]).toEqual([0, "", "No rows.\n"]);
    const none = await tfxio([command, "-n", "0", at("people.csv")]);
    expect([none.code, none.stdout, none.stderr]).toEqual([0, "", ""]);
  },
);

describe("tables", () => {
  test.each([40, 80, 160])("fit a terminal of %d columns", async (width) => {
    const text = await output(["head", "--width", String(width), at("wide.tfrecord")]);
    expect(text).toBe(golden(`wide-${width}.txt`));
    expect(await output(["head", at("wide.tfrecord")], { columns: width })).toBe(text);
  });

  test("show all columns when written to a pipe", async () => {
    expect(await output(["head", at("wide.tfrecord")])).toBe(golden("wide-pipe.txt"));
  });

  test("align columns that contain wide characters", async () => {
    expect(await output(["head", at("people.csv")])).toBe(golden("people.txt"));
  });

  test("show the type of a column, and its list levels beyond the first", async () => {
    writeFileSync(at("nested.jsonl"), '{"a":[1,2],"b":[[1],[2,3]],"c":[[["x"]],[]]}\n');
    const [, types] = (await output(["head", at("nested.jsonl")])).split("\n");
    expect(types?.split(/ {2,}/)).toEqual(["int64", "list int64", "list list bytes"]);
  });

  test("have colours only on terminals that support them", async () => {
    const escape = "\u001B[";
    expect(await output(["head", at("people.csv")], { columns: 80, hasColour: true })).toContain(escape);
    expect(await output(["head", at("people.csv")], { columns: 80 })).not.toContain(escape);
  });
});

test("head of a 10 GiB file reads only the beginning of the file", async () => {
  // Zeros fill the rest of the file. `head` would report them as damage if it read them.
  const rows = await wideFile();
  writeFileSync(at("big.tfrecord"), Buffer.concat(Array.from({ length: 3000 }, () => rows)));
  truncateSync(at("big.tfrecord"), 10 * 2 ** 30);
  const start = performance.now();
  expect(lines(await output(["head", "--json", "-n", "2", at("big.tfrecord")]))).toHaveLength(2);
  expect(performance.now() - start).toBeLessThan(10_000);
});

describe("head of a damaged file", () => {
  beforeAll(async () => {
    const records = await wideFile();
    // A record is a length, 4 bytes of checksum, the payload, and 4 bytes of checksum:
    // tensorflow.org/tutorials/load_data/tfrecord
    const lengthAt = (offset: number): number => Number(Buffer.from(records).readBigUInt64LE(offset)) + 16;
    records[lengthAt(0) + lengthAt(lengthAt(0)) + 20]! ^= 1;
    writeFileSync(at("damaged.tfrecord"), records);
    writeFileSync(at("damaged.csv"), 'a_id,name\n0,Ada\n1,Alan\n2,"Grace\n');
    writeFileSync(at("damaged.jsonl"), '{"a_id":0}\n{"a_id":1}\n{"a_id":oops}\n{"a_id":3}\n');
  });

  test.each([
    ["damaged.tfrecord", "[corrupt-record]"],
    ["damaged.csv", "[truncated-record]"],
    ["damaged.jsonl", "[malformed-payload]"],
  ])("shows the rows before the damage in %s, and then the error", async (file, errorCode) => {
    const choices = [[], ["-w", "a_id >= 0"], ["-c", "a_id"]];
    for (const words of choices) {
      const { code, stdout, stderr } = await tfxio(["head", "--json", ...words, at(file)]);
      expect(lines(stdout)).toMatchObject([{ a_id: [0] }, { a_id: [1] }]);
      expect(stderr).toContain(`error ${errorCode}`);
      expect(code).toBe(4);
    }
    const table = await tfxio(["head", at(file)]);
    expect(table.stdout.split("\n").slice(2).map(Number.parseFloat).filter(Number.isFinite)).toEqual([0, 1]);
    expect(table.code).toBe(4);
  });

  test.each([
    ["tfrecord", "[corrupt-record]"],
    ["csv", "[truncated-record]"],
    ["jsonl", "[malformed-payload]"],
  ])("shows the rows before the damage in %s from stdin, and then the error", async (format, errorCode) => {
    const stdin = readFileSync(at(`damaged.${format}`));
    for (const words of [[], ["-w", "a_id >= 0"], ["-c", "a_id"]]) {
      const { code, stdout, stderr } = await tfxio(["head", "--json", "--format", format, ...words, "-"], {
        stdin,
      });
      expect(lines(stdout)).toMatchObject([{ a_id: [0] }, { a_id: [1] }]);
      expect(stderr).toContain(`error ${errorCode}`);
      expect(code).toBe(4);
    }
  });

  test("succeeds if the rows before the damage are enough", async () => {
    const { code, stdout } = await tfxio(["head", "--json", "-n", "2", at("damaged.tfrecord")]);
    expect(lines(stdout)).toHaveLength(2);
    expect(code).toBe(0);
  });
});

const testHere = installedCommand === undefined ? test : test.skip;

testHere("cat succeeds if the pipe is closed early", async () => {
  expect(await tfxio(["cat", at("people.csv")], { signal: interruptedBy("closed-pipe") })).toMatchObject({
    code: 0,
    stderr: "",
  });
});
