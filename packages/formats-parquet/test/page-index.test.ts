import { describe, expect, test } from "@jest/globals";
import { matchingRows } from "@tfxio/arrow-encoding";
import { ColumnPath, type Predicate, parsePredicate } from "@tfxio/schema";
import { bytesSource } from "@tfxio/wire";
import { Int64, type RecordBatch, Table, vectorFromArray } from "apache-arrow";
import { CHUNK, type FileFooter, readFooter } from "../src/footer/file-footer.js";
import { integerOf } from "../src/footer/thrift.js";
import { pagePlaces } from "../src/pruning/page-index.js";
import { fixture, notedSource } from "./probe.js";
import { parquetFile, readBatches } from "./read-parquet.js";

const LIMITS = {
  maxMetadataBytes: 2 ** 28,
  maxPageBytes: 2 ** 30,
  maxRecordBytes: 2 ** 30,
  maxColumns: 100_000,
};
// 2,000 rows in two row groups, in pages of at most 50 rows. fixtures/make.py describes the columns.
const files = ["pages-v1.parquet", "pages-v2.parquet"] as const;
const json = (_: string, value: unknown): unknown => (typeof value === "bigint" ? String(value) : value);

async function rowsRead(bytes: Uint8Array, filter: string): Promise<readonly string[]> {
  const predicate = parsePredicate(filter);
  const batches = await readBatches(bytesSource(bytes), { filter: predicate, rowPositionColumn: "#" });
  return batches.flatMap((batch) => batch.toArray().map((row: unknown) => JSON.stringify(row, json)));
}

/** Returns all rows with their positions, as text, and whether they match. */
async function allRows(bytes: Uint8Array, predicate: Predicate) {
  const batches = await readBatches(bytesSource(bytes), { rowPositionColumn: "#" });
  return batches.flatMap((batch) => {
    const matching = new Set(matchingRows(batch, predicate));
    return batch.toArray().map((row: unknown, index: number) => ({
      text: JSON.stringify(row, json),
      matches: matching.has(index),
    }));
  });
}

describe.each(files)("in %s,", (name) => {
  const bytes = fixture(name);

  // Pages of `long` have about 16 rows, and all others 50. The reader keeps or skips whole pages, and does not filter rows in a
  // page.
  test.each([
    ["id == 550", 50],
    ["id >= 1949", 100],
    ["id > 1949", 50],
    ["id < 50", 50],
    ["id in (3, 4, 1950)", 100],
    ["id > 120 and id < 280", 200],
    ["id < 20 or id > 1990", 100],
    ["list == 550", 50],
    ["late is null", 1500],
    ["late > 0", 500],
    ["late == 1600", 50],
    ["id == 2000", 0],
    ["id == 60 and late > 0", 0],
    ['kind == "kind 2"', 500],
    ["not id == 1", 2000],
  ])("the filter `%s` leaves %d rows to read", async (filter, numRows) => {
    expect(await rowsRead(bytes, filter)).toHaveLength(numRows);
  });

  test.each([
    "id == 550",
    "id > 120 and id < 280",
    "id in (0, 999, 1000, 1999)",
    "id < 75 or list == 1234",
    'kind == "kind 1" and id > 700',
    "late >= 1777 or late is null and id < 30",
    "even == 14 or id == 1999",
    'long > "00" and id == 333',
  ])("the rows selected by `%s` include all matching rows", async (filter) => {
    const predicate = parsePredicate(filter);
    const all = await allRows(bytes, predicate);
    const read = await rowsRead(bytes, filter);
    const left = new Set(read);
    expect(left.size).toBe(read.length);
    expect(all.filter(({ text }) => left.has(text)).map(({ text }) => text)).toEqual(read);
    expect(all.filter(({ text, matches }) => matches && !left.has(text))).toEqual([]);
    expect(all.some(({ matches }) => matches)).toBe(true);
  });

  test("a read fetches only the pages with rows that may match", async () => {
    const { source, ranges } = notedSource(bytes);
    const filter = parsePredicate("id == 550");
    const [batch] = await readBatches(source, { filter, columns: [ColumnPath.of("long")] });
    expect(batch!.numRows).toBe(50);
    const footer = await readFooter(bytesSource(bytes), LIMITS, undefined);
    const chunk = footer.rowGroups[0]!.chunks.at(-1)!;
    const inChunk = ranges.filter(({ start, end }) => start >= chunk.start && end <= chunk.end);
    expect(inChunk).toHaveLength(1);
    expect(inChunk[0]!.end - inChunk[0]!.start).toBeLessThan((chunk.end - chunk.start) / 5);
  });

  test("a read that resumes inside a span of selected rows begins with the row that `from` names", async () => {
    const whole = await rowsRead(bytes, "id > 120 and id < 280");
    const { parquet } = await import("@tfxio/formats-parquet");
    const reader = await parquet.open([bytesSource(bytes)]);
    const plan = await reader.plan({
      filter: parsePredicate("id > 120 and id < 280"),
      rowPositionColumn: "#",
    });
    const rest: string[] = [];
    for await (const batch of plan.read(plan.splits[0]!, { from: { row: 233 } })) {
      rest.push(...batch.toArray().map((row: unknown) => JSON.stringify(row, json)));
    }
    expect(rest).toEqual(whole.slice(133));
  });
});

describe("damage", () => {
  const bytes = fixture("pages-v1.parquet");

  async function indexOfId(id: number): Promise<number> {
    const footer = await readFooter(bytesSource(bytes), LIMITS, undefined);
    return integerOf(footer.rowGroups[0]!.chunks[0]!.struct.get(id))!;
  }

  test.each([
    ["offset", CHUNK.offsetIndex],
    ["column", CHUNK.columnIndex],
  ] as const)("in the %s index is an error with the byte offset of that index", async (_, id) => {
    const at = await indexOfId(id);
    const damaged = bytes.slice();
    damaged.fill(0xff, at, at + 8);
    const filter = parsePredicate("id == 550");
    await expect(readBatches(bytesSource(damaged, "bad.parquet"), { filter })).rejects.toMatchObject({
      code: "corrupt-record",
      reason: "page-index",
      uri: "bad.parquet",
      byteOffset: at,
    });
    // Without a filter, the index is not read.
    expect(await readBatches(bytesSource(damaged))).not.toHaveLength(0);
  });

  test("in the schema is reported as a damaged footer", async () => {
    const lengthAt = bytes.length - 8;
    const footerBytes = new DataView(bytes.buffer, bytes.byteOffset).getUint32(lengthAt, true);
    const damaged = bytes.slice();
    // The repetition type of the schema's root, as a zigzag varint. Parquet defines only 0, 1 and 2.
    damaged[lengthAt - footerBytes + 5] = 2 * 4;
    await expect(readBatches(bytesSource(damaged, "bad.parquet"))).rejects.toMatchObject({
      code: "corrupt-record",
      reason: "footer",
      uri: "bad.parquet",
      recordIndex: undefined,
      byteOffset: undefined,
    });
  });

  test("is an error if it leaves an offset index without pages, unless the chunk has no rows", async () => {
    const footer = await readFooter(bytesSource(bytes), LIMITS, undefined);
    // A Thrift struct whose field 1 is an empty list of structs.
    const index = { bytes: Uint8Array.of(0x19, 0x0c, 0), uri: "x.parquet", byteOffset: 7 };
    const [chunk] = footer.rowGroups[0]!.chunks;
    expect(pagePlaces(index, chunk!, 0)).toEqual([]);
    expect(() => pagePlaces(index, chunk!, 5)).toThrow(
      "x.parquet: the page index at byte 7 has no pages for 5 rows",
    );
  });
});

describe("files from our writer", () => {
  const numRows = 3000;
  const ids = Array.from({ length: numRows }, (_, row) => BigInt(row));
  const [batch] = new Table({ id: vectorFromArray(ids, new Int64()) }).batches as [RecordBatch];

  async function placesOf(file: Uint8Array, footer: FileFooter): Promise<readonly (readonly number[])[]> {
    return footer.rowGroups.map(({ chunks: [chunk], numRows: rows }) => {
      const start = integerOf(chunk!.struct.get(CHUNK.offsetIndex))!;
      const length = integerOf(chunk!.struct.get(CHUNK.offsetIndexLength))!;
      const index = { bytes: file.subarray(start, start + length), uri: "ours", byteOffset: start };
      return pagePlaces(index, chunk!, rows).map(({ startByte }) => startByte);
    });
  }

  test("have page indexes that locate the first page of every row group", async () => {
    const file = await parquetFile(batch.schema, [batch], {
      rowGroupRows: 1000,
      statistics: "page",
      dictionary: false,
    });
    const footer = await readFooter(bytesSource(file), LIMITS, undefined);
    const places = await placesOf(file, footer);
    // Without a dictionary, a chunk begins with its first data page.
    expect(places.map(([first]) => first)).toEqual(footer.rowGroups.map(({ chunks }) => chunks[0]!.start));
    const read = await readBatches(bytesSource(file), { filter: parsePredicate("id == 2500") });
    expect(read.reduce((sum, one) => sum + one.numRows, 0)).toBe(1000);
  });
});
