import { describe, expect, test } from "@jest/globals";
import { bytesSource } from "@tfxio/wire";
import {
  type Data,
  Field,
  Float64,
  Int64,
  List,
  makeData,
  makeVector,
  Null,
  type RecordBatch,
  SparseUnion,
  Struct,
  Table,
  Utf8,
  vectorFromArray,
} from "apache-arrow";
import { COLUMN, type FileFooter, readFooter } from "../src/footer/file-footer.js";
import { integerOf, listOf } from "../src/footer/thrift.js";
import type { ParquetOptions } from "../src/options.js";
import { fixture } from "./probe.js";
import { parquetFile, readBatches } from "./read-parquet.js";

const LIMITS = {
  maxMetadataBytes: 2 ** 28,
  maxPageBytes: 2 ** 30,
  maxRecordBytes: 2 ** 30,
  maxColumns: 100_000,
};
const numRows = 5000;
const [batch] = new Table({
  id: vectorFromArray(
    Array.from({ length: numRows }, (_, row) => BigInt(row)),
    new Int64(),
  ),
  word: vectorFromArray(
    Array.from({ length: numRows }, (_, row) => `word ${row % 7}`),
    new Utf8(),
  ),
  ratio: vectorFromArray(
    Array.from({ length: numRows }, (_, row) => (row % 11 === 0 ? null : row / 8)),
    new Float64(),
  ),
}).batches as [RecordBatch];

async function written(options: Partial<ParquetOptions>): Promise<FileFooter> {
  const file = await parquetFile(batch.schema, [batch], options);
  return readFooter(bytesSource(file, "ours.parquet"), LIMITS, undefined);
}

// @see parquet-format `parquet.thrift`, enums CompressionCodec and Encoding
test.each([
  ["none", 0],
  ["snappy", 1],
  ["gzip", 2],
  ["brotli", 4],
  ["zstd", 6],
  ["lz4", 7],
] as const)(
  "the Parquet writer records the compression %s as codec %d in the footer",
  async (compression, codec) => {
    const { rowGroups } = await written({ compression });
    const codecs = rowGroups.flatMap(({ chunks }) =>
      chunks.map(({ metadata }) => integerOf(metadata.get(COLUMN.codec))),
    );
    expect(codecs).toEqual([codec, codec, codec]);
  },
);

test("the Parquet writer writes row groups of the requested size from batches of other sizes", async () => {
  const file = await parquetFile(
    batch.schema,
    [batch.slice(0, 3000), batch.slice(3000, 3001), batch.slice(3001, 5000)],
    {
      rowGroupRows: 1500,
    },
  );
  const { rowGroups } = await readFooter(bytesSource(file), LIMITS, undefined);
  expect(rowGroups.map((group) => group.numRows)).toEqual([1500, 1500, 1500, 500]);
  const batches = await readBatches(bytesSource(file), { batchSize: numRows });
  expect([...(batches[0]!.getChild("id") as Iterable<bigint>)]).toEqual([
    ...(batch.getChild("id") as Iterable<bigint>),
  ]);
});

describe("statistics and dictionaries", () => {
  const DICTIONARY_ENCODING = 8;

  test("are written unless disabled", async () => {
    const { rowGroups } = await written({});
    expect(rowGroups[0]!.chunks.every(({ metadata }) => metadata.has(COLUMN.statistics))).toBe(true);
    const [, word] = rowGroups[0]!.chunks;
    const encodings = listOf(word!.metadata.get(2))!.map(integerOf);
    expect(encodings).toContain(DICTIONARY_ENCODING);
    const plain = await written({ statistics: "none", dictionary: false });
    expect(plain.rowGroups[0]!.chunks.some(({ metadata }) => metadata.has(COLUMN.statistics))).toBe(false);
    const chunks = plain.rowGroups[0]!.chunks.flatMap(({ metadata }) =>
      listOf(metadata.get(2))!.map(integerOf),
    );
    expect(chunks).not.toContain(DICTIONARY_ENCODING);
  });
});

test("the types and rows of a file survive reading, writing and reading again", async () => {
  const batches = await readBatches(bytesSource(fixture("groups.parquet")), { batchSize: 300 });
  const [first] = batches as [RecordBatch];
  const again = await readBatches(bytesSource(await parquetFile(first.schema, batches)), { batchSize: 300 });
  expect(String(again[0]!.schema)).toBe(String(first.schema));
  expect(again.map((one) => JSON.stringify(one.toArray(), text))).toEqual(
    batches.map((one) => JSON.stringify(one.toArray(), text)),
  );
});

describe("columns of type Null", () => {
  const none = makeData({ type: new Null(), length: 3 });

  test("are written", async () => {
    const ids = vectorFromArray([1n, 2n, 3n], new Int64());
    const [rows] = new Table({ none: makeVector(none), id: ids }).batches as [RecordBatch];
    const file = await parquetFile(rows.schema, [rows.slice(0, 1), rows.slice(1, 3)], { rowGroupRows: 2 });
    const [read] = await readBatches(bytesSource(file), { batchSize: 3 });
    expect(String(read!.schema)).toBe(String(rows.schema));
    expect(read!.toArray().map((row: unknown) => JSON.stringify(row, text))).toEqual([
      '{"none":null,"id":"1"}',
      '{"none":null,"id":"2"}',
      '{"none":null,"id":"3"}',
    ]);
  });

  test("are rejected inside other columns, with an error that names the outer column", async () => {
    const type = new List(new Field("item", new Null(), true));
    const lists = makeData({ type, length: 1, valueOffsets: Int32Array.of(0, 3), child: none });
    const [rows] = new Table({ lists: makeVector(lists) }).batches as [RecordBatch];
    await expect(parquetFile(rows.schema, [rows])).rejects.toMatchObject({
      code: "unsupported",
      reason: "column-type",
      message: expect.stringContaining('"lists"'),
    });
  });
});

describe("an error names the first column that the engine cannot store:", () => {
  const members = [new Field("a", new Int64(), true), new Field("b", new Utf8(), true)];
  const onlyInts = [vectorFromArray([1n, 2n], new Int64()), vectorFromArray(["", ""], new Utf8())];
  const union = makeData({
    type: new SparseUnion([0, 1], members),
    length: 2,
    typeIds: Int8Array.of(0, 0),
    children: onlyInts.map(({ data }) => data[0] as Data),
  });

  test.each<[string, Data]>([
    // The engine traps.
    ["a union", union],
    // The engine reports an error.
    ["a struct without fields", makeData({ type: new Struct([]), length: 2, nullCount: 0, children: [] })],
  ])("%s", async (_type, column) => {
    const good = vectorFromArray([1n, 2n], new Int64());
    const table = new Table({ id: good, bad: makeVector(column), word: makeVector(column), last: good });
    for (const batches of [[], table.batches])
      await expect(parquetFile(table.schema, batches)).rejects.toMatchObject({
        code: "unsupported",
        reason: "column-type",
        message: expect.stringMatching(
          /^\[unsupported\] Column "bad" of type .+ cannot be written to a Parquet file: /,
        ),
      });
  });
});

test("the Parquet writer rejects invalid option values", async () => {
  await expect(written({ compression: "lzo" as "none" })).rejects.toMatchObject({ argument: "compression" });
  await expect(written({ rowGroupRows: 0 })).rejects.toMatchObject({ argument: "rowGroupRows" });
});

function text(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
