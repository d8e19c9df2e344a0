import { mkdtempSync, rmSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "@jest/globals";
import { FeatureType, parseSchemaText } from "@tfxio/schema";
import { encodeTfRecords } from "@tfxio/wire";
import { Float64, Int64, Table, tableFromIPC, tableToIPC, vectorFromArray } from "apache-arrow";
import {
  describeRead,
  openRead,
  openTfxio,
  standardFormats,
  type Tfxio,
  verify,
  writeTfxio,
} from "../src/index.js";
import { collect } from "./fixtures.js";
import { describeBuilt } from "./worker-formats/index.js";

const folder = mkdtempSync(path.join(tmpdir(), "tfxio-formats-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const ids = [7, 8, 9, 10, 11];
const schema = parseSchemaText(
  'feature { name: "id" type: INT shape {} presence { min_fraction: 1 } } feature { name: "score" type: FLOAT }',
);
const rows = ids.map((id) => ({ id: [id], score: [id / 2] }));
const table = new Table({
  id: vectorFromArray(ids.map(BigInt), new Int64()),
  score: vectorFromArray(
    ids.map((id) => id / 2),
    new Float64(),
  ),
});

/** The rows in several formats, written without our own writers. */
const samples: readonly (readonly [id: string, name: string, bytes: Uint8Array])[] = [
  ["arrow", "rows.arrow", tableToIPC(table, "file")],
  ["arrow", "rows.arrows", tableToIPC(table, "stream")],
  ["jsonl", "rows.jsonl", utf8(ids.map((id) => `{"id":${id},"score":${id / 2}}\n`).join(""))],
  ["csv", "rows.csv", utf8(`id,score\n${ids.map((id) => `${id},${id / 2}\n`).join("")}`)],
  ["tsv", "rows.tsv", utf8(`id\tscore\n${ids.map((id) => `${id}\t${id / 2}\n`).join("")}`)],
  ["jsonl", "rows.json", utf8(JSON.stringify(ids.map((id) => ({ id, score: id / 2 }))))],
];

const rowsOf = (tfxio: Tfxio): Promise<unknown[]> => collect(tfxio.rows());

test("standardFormats lists these formats, each with a file URL as its module", () => {
  expect(standardFormats.map(({ id }) => id)).toEqual([
    "tfrecord",
    "sequence-tfrecord",
    "tfrecord-raw",
    "arrow",
    "parquet",
    "avro",
    "jsonl",
    "csv",
    "tsv",
    "protobuf",
    "tfrecord-protobuf",
  ]);
  for (const { module } of standardFormats) expect(module).toMatch(/^file:/);
});

describe.each(samples)("a file in the format %s, named %s", (id, name, bytes) => {
  test("is detected by its name, and by its first bytes", async () => {
    for (const named of [name, "rows-without-a-name"]) {
      const source = new File([bytes], named);
      expect(await rowsOf(await openTfxio(source, { schema }))).toEqual(rows);
      expect((await verify(source)).files).toMatchObject([{ format: id, numRows: ids.length }]);
    }
  });

  // arrow-js writes no schema before the batches of a file, only in its footer.
  if (name !== "rows.arrow") {
    test("is detected in a stream, and read completely", async () => {
      const stream = new Blob([bytes]).stream() as unknown as AsyncIterable<Uint8Array>;
      expect(await rowsOf(await openTfxio(stream, { schema }))).toEqual(rows);
    });
  }

  test("has tensors under an inferred schema", async () => {
    const tfxio = await openTfxio(new File([bytes], name), { inferSchema: "full" });
    const [batch] = await collect(tfxio.recordBatches());
    expect(tfxio.tensorAdapter().toHost(batch!)["id"]).toMatchObject({
      kind: "dense",
      dtype: "int64",
      values: BigInt64Array.from(ids, BigInt),
    });
  });

  const isWritable = standardFormats.some((format) => format.id === id && format.createWriter !== undefined);
  if (isWritable)
    test("is written in the format that the target name implies, and read back", async () => {
      const target = path.join(folder, `written-${name}`);
      await writeTfxio(await openTfxio(new File([bytes], name), { schema }), target);
      expect(await rowsOf(await openTfxio(target, { schema }))).toEqual(rows);
      const written = new Uint8Array(await readFile(target));
      if (id === "arrow") expect(tableFromIPC(written).numRows).toBe(ids.length);
      else expect(new TextDecoder().decode(written)).toContain("score");
    });

  test("rejects an option that its format does not have", async () => {
    const opened = openTfxio(new File([bytes], name), { formatOptions: { nothing: 1 } });
    await expect(opened).rejects.toMatchObject({ code: "invalid-argument", reason: "unknown-option" });
  });
});

describe("a file without a known extension", () => {
  const formatOf = async (bytes: Uint8Array): Promise<string | undefined> =>
    (await verify(new File([bytes], "part-00000-of-00001"))).files[0]?.format;

  test.each([
    ["objects that contain commas, one per line", '{"a":1,"b":2}\n{"a":3,"b":4}\n', "jsonl"],
    ["an array of objects", '[{"a":1,"b":2},\n{"a":3,"b":4}]', "jsonl"],
    ["lines with one comma each", "a,b\n1,2\n", "csv"],
    ["lines with one tab each, and commas in cells", "a\tb\n1,5\t2\n", "tsv"],
  ])("is detected by its bytes: %s", async (_, text, expected) => {
    expect(await formatOf(utf8(text))).toBe(expected);
    expect(await formatOf(new Uint8Array(gzipSync(text)))).toBe(expected);
  });

  test.each([
    ["prose", "Dear reader,\nthis is a letter, and no table, of course.\n"],
    ["a column of numbers", "1\n2\n3\n"],
    ["an array of numbers", "[1, 2]"],
    ["an empty file", ""],
  ])("is not detected by its bytes: %s", async (_, text) => {
    expect(await formatOf(utf8(text))).toBeUndefined();
    expect(await formatOf(new Uint8Array(gzipSync(text)))).toBeUndefined();
  });

  test("is detected as a TFRecord file even if its records contain text", async () => {
    const bytes = await encodeTfRecords([utf8("a,b\n1,2\n"), utf8('{"a":1}')]);
    const { files } = await verify(new File([bytes], "part-00000-of-00001"), { columns: [] });
    expect(files).toMatchObject([{ format: "tfrecord" }]);
  });
});

describe("a described read", () => {
  test.each(samples)(
    "of a file in the format %s, named %s, yields the same rows when opened again",
    async (_, name, bytes) => {
      const file = path.join(folder, name);
      await writeFile(file, bytes);
      const description = JSON.parse(
        JSON.stringify(describeRead(await openTfxio(file, { schema, filter: "id >= 9" }))),
      );
      const again = await openRead(description as ReturnType<typeof describeRead>);
      expect(await rowsOf(again)).toEqual(rows.slice(2));
    },
  );
});

describeBuilt("worker threads", () => {
  test.each(samples)("read every row of a file in the format %s, named %s", async (_, name, bytes) => {
    const file = path.join(folder, `threads-${name}`);
    await writeFile(file, bytes);
    const tfxio = await openTfxio(file, { schema });
    const batches = await collect(tfxio.recordBatches({ workers: 1 }));
    expect(batches.reduce((sum, { numRows }) => sum + numRows, 0)).toBe(ids.length);
  });
});

test.each(["file", "stream"] as const)(
  "a schema inferred from an Arrow %s describes the columns, even if there are no rows",
  async (kind) => {
    const none = new Table({
      id: vectorFromArray([], new Int64()),
      score: vectorFromArray([], new Float64()),
    });
    const source = new File([tableToIPC(none, kind)], "none.arrow");
    const tfxio = await openTfxio(source, { inferSchema: "full" });
    expect(tfxio.schema().feature.map(({ name, type }) => [name, FeatureType[type]])).toEqual([
      ["id", "INT"],
      ["score", "FLOAT"],
    ]);
    expect(tfxio.arrowSchema().fields.map(({ type }) => String(type))).toEqual([
      "List<Int64>",
      "List<Float64>",
    ]);
    expect(await rowsOf(tfxio)).toEqual([]);
  },
);
