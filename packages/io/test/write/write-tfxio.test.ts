import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { encodeSequenceExample } from "@tfxio/arrow-encoding";
import { parseSchemaText } from "@tfxio/schema";
import { memoryTarget, openTarget } from "@tfxio/wire";
import {
  Field,
  Int64,
  List,
  RecordBatch,
  Schema as ArrowSchema,
  tableFromArrays,
  Table,
  vectorFromArray,
} from "apache-arrow";
import { openTfxio, shardName, type Tfxio, writeTfxio, type WriteTfxioOptions } from "../../src/index.js";
import { collect, range, tfRecordFile } from "../fixtures.js";
import { PEOPLE, people, peopleFile } from "../people.js";
import { importTable, importToy } from "../worker-formats/index.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "tfxio-write-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string): string => path.join(folder, name);
const filesHere = (): string[] => readdirSync(folder).sort();
const open = (numRows = 100): Promise<Tfxio> =>
  openTfxio(peopleFile(0, numRows), { schema: PEOPLE, batchBytes: 600 });
const rowsOf = async (input: string | readonly string[]): Promise<unknown[]> =>
  collect((await openTfxio(input, { schema: PEOPLE })).rows());

describe("writeTfxio", () => {
  test("writes all rows to one file", async () => {
    const summary = await writeTfxio(await open(), at("a.tfrecord"));
    expect(summary).toEqual({
      uris: [at("a.tfrecord")],
      numRows: 100,
      numBytes: statSync(at("a.tfrecord")).size,
    });
    expect(await rowsOf(at("a.tfrecord"))).toEqual(people(0, 100));
    expect(filesHere()).toEqual(["a.tfrecord"]);
  });

  test("compresses a file whose name ends in .gz, and reports the compressed size", async () => {
    const { numBytes } = await writeTfxio(await open(), at("a.tfrecord.gz"));
    const stored = readFileSync(at("a.tfrecord.gz"));
    expect(stored).toHaveLength(numBytes);
    const plain = await writeTfxio(await open(), at("a.tfrecord"));
    expect(gunzipSync(stored)).toEqual(readFileSync(at("a.tfrecord")));
    expect(plain.numBytes).toBeGreaterThan(numBytes);
    expect(await rowsOf(at("a.tfrecord.gz"))).toEqual(people(0, 100));
  });

  test.each(["tfrecord", "tfrecords", "csv", "tsv", "jsonl", "ndjson", "json"])(
    "writes gzip that openTfxio can read, if the name ends in .%s.gz",
    async (extension) => {
      const name = at(`a.${extension}.gz`);
      await writeTfxio((await open()).project(["id"]), name);
      expect([...readFileSync(name).subarray(0, 2)]).toEqual([0x1f, 0x8b]);
      const again = await openTfxio(name, { inferSchema: "full" });
      expect(await collect(again.rows())).toEqual(people(0, 100).map(({ id }) => ({ id })));
    },
  );

  test.each([1, 2, 7, 150])("with numShards %d, writes row i to shard i mod numShards", async (numShards) => {
    const { uris, numRows, numBytes } = await writeTfxio(await open(), at("a.tfrecord"), { numShards });
    const of = String(numShards).padStart(5, "0");
    expect(uris).toEqual(
      range(0, numShards).map((index) => at(`a.tfrecord-${String(index).padStart(5, "0")}-of-${of}`)),
    );
    expect(filesHere()).toEqual(uris.map((uri) => path.basename(uri)));
    for (const [index, uri] of uris.entries()) {
      expect(await rowsOf(uri)).toEqual(people(0, 100).filter((_, row) => row % numShards === index));
    }
    expect(numRows).toBe(100);
    expect(numBytes).toBe(uris.reduce((sum, uri) => sum + statSync(uri).size, 0));
    expect(await rowsOf(at("a.tfrecord-*"))).toHaveLength(100);
  });

  test("starts a new shard after about shardBytes bytes, and puts the number of shards in the names", async () => {
    const { uris } = await writeTfxio(await open(400), at("a.tfrecord"), { shardBytes: 4000 });
    const of = String(uris.length).padStart(5, "0");
    expect(uris.length).toBeGreaterThan(4);
    expect(filesHere()).toEqual(
      range(0, uris.length).map((index) => `a.tfrecord-${String(index).padStart(5, "0")}-of-${of}`),
    );
    for (const uri of uris.slice(0, -1)) {
      expect(statSync(uri).size).toBeGreaterThanOrEqual(4000);
      // A shard exceeds the limit by at most one batch.
      expect(statSync(uri).size).toBeLessThan(6000);
    }
    expect(await rowsOf(uris)).toEqual(people(0, 400));
  });

  test("keeps the extension .gz in the names of shards", async () => {
    const { uris } = await writeTfxio(await open(), at("a.tfrecord.gz"), { numShards: 2 });
    expect(filesHere()).toEqual(["a.tfrecord-00000-of-00002.gz", "a.tfrecord-00001-of-00002.gz"]);
    expect((await rowsOf(uris)).length).toBe(100);
    expect(readFileSync(uris[0] as string)[0]).toBe(0x1f);
  });

  test("gives shards names that sort by index, even if there are more than 99,999 shards", () => {
    const names = [9, 10, 99_999, 100_000].map((index) => shardName("a.csv", index, 100_001));
    expect(names).toEqual([
      "a.csv-000009-of-100001",
      "a.csv-000010-of-100001",
      "a.csv-099999-of-100001",
      "a.csv-100000-of-100001",
    ]);
  });

  test("given no rows, writes valid files if the schema is known, and rejects the write otherwise", async () => {
    const empty = await openTfxio(peopleFile(0, 3), { schema: PEOPLE, filter: "id < 0" });
    expect(await writeTfxio(empty, at("a.tfrecord"))).toMatchObject({ numRows: 0, numBytes: 0 });
    expect(await rowsOf(at("a.tfrecord"))).toEqual([]);
    const { uris } = await writeTfxio([], at("b.tfrecord"), {
      arrowSchema: empty.arrowSchema(),
      numShards: 2,
    });
    expect(await rowsOf(uris)).toEqual([]);
    await expect(writeTfxio([], at("c.tfrecord"))).rejects.toMatchObject({
      code: "schema-required",
      reason: "no-batches",
    });
    expect(filesHere()).toEqual(["a.tfrecord", "b.tfrecord-00000-of-00002", "b.tfrecord-00001-of-00002"]);
  });

  test("accepts batches from any iterable, and writes to memory", async () => {
    const batches = await collect((await open()).recordBatches({ batchSize: 30 }));
    async function* later(): AsyncGenerator<RecordBatch> {
      yield* batches;
    }
    const target = memoryTarget("rows.tfrecord");
    for (const [data, to] of [
      [batches, at("a.tfrecord")],
      [later(), at("b.tfrecord")],
      [new Set(batches), target],
    ] as const) {
      expect((await writeTfxio(data, to)).numRows).toBe(100);
    }
    expect(readFileSync(at("a.tfrecord"))).toEqual(readFileSync(at("b.tfrecord")));
    expect(Buffer.from(target.bytes())).toEqual(readFileSync(at("a.tfrecord")));
    const unnamed = memoryTarget();
    await expect(writeTfxio(batches, unnamed)).rejects.toMatchObject({ code: "unknown-format" });
    await writeTfxio(batches, unnamed, { format: "tfrecord" });
    expect(unnamed.bytes()).toEqual(target.bytes());
  });

  test("rejects a target without a name, and a path that would be read as a glob", async () => {
    const data = await open(3);
    for (const target of [
      { ...memoryTarget(), uri: "" },
      { ...memoryTarget(), uri: undefined, name: "" },
    ]) {
      await expect(writeTfxio(data, target as never)).rejects.toThrow(
        "has no name from which to derive the format",
      );
    }
    for (const name of ["a*.tfrecord", "a?.tfrecord", "{a,b}.tfrecord", "a{1..3}.tfrecord"]) {
      for (const options of [{}, { numShards: 2 }]) {
        await expect(writeTfxio(data, at(name), options)).rejects.toMatchObject({
          code: "invalid-argument",
          reason: "glob-target",
          message: expect.stringContaining(name),
        });
      }
      expect(filesHere()).toEqual([]);
    }
    await writeTfxio(data, pathToFileURL(at("a*.tfrecord")));
    expect(filesHere()).toEqual(["a*.tfrecord"]);
  });

  test("replaces a file, even through a symbolic link", async () => {
    writeFileSync(at("real.tfrecord"), "old");
    symlinkSync("real.tfrecord", at("a.tfrecord"));
    await writeTfxio(await open(3), at("a.tfrecord"));
    expect(await rowsOf(at("real.tfrecord"))).toEqual(people(0, 3));
    expect(filesHere()).toEqual(["a.tfrecord", "real.tfrecord"]);
  });

  test("reports after each batch how many rows have been written so far", async () => {
    const seen: { numRows: number; numBytes: number }[] = [];
    const batches = await collect((await open()).recordBatches({ batchSize: 40 }));
    const { numBytes } = await writeTfxio(batches, at("a.tfrecord"), { onProgress: (one) => seen.push(one) });
    expect(seen.map(({ numRows }) => numRows)).toEqual([40, 80, 100]);
    expect(seen.at(-1)?.numBytes).toBeLessThanOrEqual(numBytes);
  });

  test("writes the filtered and projected rows of several files", async () => {
    const source = await openTfxio([peopleFile(0, 50), peopleFile(50, 100)], {
      schema: PEOPLE,
      filter: "id >= 48",
    });
    await writeTfxio(source.project(["id"]), at("a.tfrecord"));
    const tfxio = await openTfxio(at("a.tfrecord"), { inferSchema: "full" });
    expect(await collect(tfxio.rows())).toEqual(people(48, 100).map(({ id }) => ({ id })));
  });

  test("keeps null, empty and nested lists of SequenceExamples", async () => {
    const file = tfRecordFile(
      range(0, 5).map((i) =>
        encodeSequenceExample({
          context: { id: { kind: "int64", values: [i] } },
          featureLists: {
            steps: range(0, i % 3).map((step) => ({ kind: "float", values: range(0, step + 1) })),
            ...(i === 2 ? {} : { words: [{ kind: "bytes", values: ["a", "b"] }] }),
          },
        }),
      ),
    );
    const options = { format: "sequence-tfrecord", inferSchema: "full" } as const;
    const source = await openTfxio(file, options);
    await writeTfxio(source, at("a.tfrecord"), { format: "sequence-tfrecord" });
    const again = await openTfxio(at("a.tfrecord"), options);
    expect(await collect(again.rows())).toEqual(await collect(source.rows()));
  });

  test("stores nested columns according to the ragged representations of the schema", async () => {
    const schema = parseSchemaText(`
      feature { name: "v" type: INT } feature { name: "v_lengths" type: INT }
      tensor_representation_group {
        key: ""
        value { tensor_representation { key: "v" value { ragged_tensor {
          feature_path { step: "v" } partition { row_length: "v_lengths" } } } } }
      }`);
    const type = new List(new Field("item", new List(new Field("item", new Int64(), true)), true));
    const nested = [[[1n, 2n], [3n]], [[]], [[4n]]];
    const table = new Table({ v: vectorFromArray(nested, type) });
    await writeTfxio(table.batches, at("a.tfrecord"), { schema });
    const rows = await collect((await openTfxio(at("a.tfrecord"), { schema })).rows());
    expect(rows).toEqual([
      { v: [1, 2, 3], v_lengths: [2, 1] },
      { v: [], v_lengths: [0] },
      { v: [4], v_lengths: [1] },
    ]);
  });
});

describe("no file is created and the old files are kept", () => {
  const kinds: readonly [string, WriteTfxioOptions][] = [
    ["one file", {}],
    ["a given number of shards", { numShards: 2 }],
    ["shards of a given size", { shardBytes: 500 }],
  ];
  const old = ["a.tfrecord", "a.tfrecord-00000-of-00002", "a.tfrecord-00001-of-00002"];
  beforeEach(() => {
    for (const name of old) writeFileSync(at(name), "old");
  });
  const expectOld = (): void => {
    expect(filesHere()).toEqual(old);
    for (const name of old) expect(readFileSync(at(name), "utf8")).toBe("old");
  };

  test.each(kinds)("if the first or a later batch fails during a write of %s", async (_, options) => {
    for (const numBatches of [0, 1, 3]) {
      const batches = await collect((await open()).recordBatches());
      const failing = async function* (): AsyncGenerator<RecordBatch> {
        yield* batches.slice(0, numBatches);
        throw new Error("no more");
      };
      await expect(writeTfxio(failing(), at("a.tfrecord"), options)).rejects.toThrow("no more");
      expectOld();
    }
  });

  test.each(kinds)(
    "if a write of %s is aborted before the first batch, between batches or while a batch is awaited",
    async (_, options) => {
      const batches = await collect((await open()).recordBatches());
      const reason = new Error("enough");
      let controller = new AbortController();
      controller.abort(reason);
      await expect(
        writeTfxio(batches, at("a.tfrecord"), { ...options, signal: controller.signal }),
      ).rejects.toBe(reason);
      expectOld();

      const between = new AbortController();
      await expect(
        writeTfxio(batches, at("a.tfrecord"), {
          ...options,
          signal: between.signal,
          onProgress: ({ numRows }) => numRows > 20 && between.abort(reason),
        }),
      ).rejects.toBe(reason);
      expectOld();

      controller = new AbortController();
      const stalling = async function* (): AsyncGenerator<RecordBatch> {
        yield* batches.slice(0, 2);
        await new Promise(() => {});
      };
      setTimeout(() => controller.abort(reason), 30);
      await expect(
        writeTfxio(stalling(), at("a.tfrecord"), { ...options, signal: controller.signal }),
      ).rejects.toBe(reason);
      expectOld();
    },
  );

  test.each(kinds)("if onProgress throws during a write of %s", async (_, options) => {
    const onProgress = (): never => {
      throw new Error("mine");
    };
    await expect(
      writeTfxio(await open(), at("a.tfrecord"), { ...options, onProgress }),
    ).rejects.toMatchObject({
      code: "user-function",
      cause: expect.objectContaining({ message: "mine" }),
    });
    expectOld();
  });

  test.each(kinds)(
    "if a write of %s receives a batch with a different schema, or an item that is not a batch",
    async (_, options) => {
      const [first] = await collect((await open()).recordBatches());
      const [other] = tableFromArrays({ x: [1] }).batches;
      await expect(writeTfxio([first!, other!], at("a.tfrecord"), options)).rejects.toMatchObject({
        code: "schema-mismatch",
        reason: "batch-schema",
      });
      await expect(writeTfxio([first!, {} as RecordBatch], at("a.tfrecord"), options)).rejects.toMatchObject({
        code: "invalid-argument",
      });
      await expect(writeTfxio([3 as never], at("a.tfrecord"), options)).rejects.toMatchObject({
        code: "invalid-argument",
      });
      expectOld();
    },
  );

  test("if the first batch for an open target fails", async () => {
    const target = await openTarget(at("a.tfrecord"));
    await expect(
      writeTfxio(
        (async function* (): AsyncGenerator<RecordBatch> {
          throw new Error("none");
        })(),
        target,
      ),
    ).rejects.toThrow("none");
    expectOld();
  });

  test("if a directory has the name of a later shard", async () => {
    mkdirSync(at("b.tfrecord-00001-of-00002"));
    await expect(writeTfxio(await open(), at("b.tfrecord"), { numShards: 2 })).rejects.toMatchObject({
      code: "invalid-argument",
      reason: "directory",
    });
    rmSync(at("b.tfrecord-00001-of-00002"), { recursive: true });
    expectOld();
  });
});

describe("old shards of a target", () => {
  test("are not mixed with a different number of new shards: the write is rejected with an error that names an old shard", async () => {
    await writeTfxio(await open(), at("a.tfrecord"), { numShards: 3 });
    const before = filesHere();
    for (const options of [{ numShards: 2 }, { shardBytes: 1000 }]) {
      await expect(writeTfxio(await open(), at("a.tfrecord"), options)).rejects.toMatchObject({
        code: "invalid-argument",
        reason: "other-shards",
        message: expect.stringContaining("a.tfrecord-00000-of-00003"),
      });
      expect(filesHere()).toEqual(before);
    }
  });

  test("are found even if they were left by a write with more than 99,999 shards", async () => {
    writeFileSync(at("a.tfrecord-000000-of-100001"), "");
    await expect(writeTfxio(await open(), at("a.tfrecord"), { numShards: 2 })).rejects.toMatchObject({
      reason: "other-shards",
      message: expect.stringContaining("a.tfrecord-000000-of-100001"),
    });
  });

  test("are replaced by the same number of new shards, whatever other files the folder contains", async () => {
    await writeTfxio(await open(), at("[a] {1}.tfrecord"), { numShards: 3 });
    await writeTfxio(await open(), at("a.tfrecord.gz"), { numShards: 4 });
    writeFileSync(at("a.tfrecord-notes-of-mine"), "");
    await writeTfxio(await open(), at("a.tfrecord"), { numShards: 3 });
    const { uris } = await writeTfxio(await open(7), at("a.tfrecord"), { numShards: 3 });
    expect(await rowsOf(uris)).toHaveLength(7);
    await expect(writeTfxio(await open(), at("[a] {1}.tfrecord"), { numShards: 2 })).rejects.toMatchObject({
      reason: "other-shards",
    });
  });
});

describe("an invalid write", () => {
  const batches: RecordBatch[] = [];
  test.each<[string, unknown, unknown, WriteTfxioOptions, object]>([
    ["an unknown extension", batches, "a.unknown", {}, { code: "unknown-format", reason: "undetected" }],
    ["an unknown format", batches, "a.tfrecord", { format: "none" }, { code: "unknown-format" }],
    ["no target", batches, undefined, {}, { code: "invalid-argument" }],
    ["a number for a target", batches, 3, {}, { code: "invalid-argument" }],
    ["no data", undefined, "a.tfrecord", {}, { code: "invalid-argument", argument: "data" }],
    ["null for data", null, "a.tfrecord", {}, { code: "invalid-argument", argument: "data" }],
    ["text for data", "rows", "a.tfrecord", {}, { code: "invalid-argument", argument: "data" }],
    [
      "several shards for a memory target",
      batches,
      memoryTarget("a.tfrecord"),
      { numShards: 2 },
      { argument: "target" },
    ],
    ["a numShards of 0", batches, "a.tfrecord", { numShards: 0 }, { argument: "numShards" }],
    ["too many shards", batches, "a.tfrecord", { numShards: 100_000 }, { argument: "numShards" }],
    ["a shardBytes of 0", batches, "a.tfrecord", { shardBytes: 0 }, { argument: "shardBytes" }],
    [
      "both numShards and shardBytes",
      batches,
      "a.tfrecord",
      { numShards: 2, shardBytes: 5 },
      { argument: "shardBytes" },
    ],
    ["an unknown option", batches, "a.tfrecord", { shards: 2 } as never, { reason: "unknown-option" }],
    [
      "an unknown format option",
      [],
      "a.tfrecord",
      { formatOptions: { level: 1 }, arrowSchema: new ArrowSchema() },
      { reason: "unknown-option" },
    ],
    [
      "a missing folder",
      [],
      "/no/such/folder/a.tfrecord",
      { arrowSchema: new ArrowSchema() },
      { code: "not-found" },
    ],
  ])("with %s is rejected, and no file is created", async (_, data, target, options, error) => {
    const to = typeof target === "string" && !target.startsWith("/") ? at(target) : target;
    await expect(writeTfxio(data as never, to as never, options)).rejects.toMatchObject(error);
    expect(filesHere()).toEqual([]);
  });

  test("to a read-only format is rejected", async () => {
    for (const format of [await importTable(), await importToy()]) {
      await expect(writeTfxio(await open(), at("a.table"), { format })).rejects.toMatchObject({
        code: "unsupported",
        reason: "read-only-format",
      });
    }
  });
});
