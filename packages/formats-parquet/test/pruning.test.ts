import { expect, test } from "@jest/globals";
import { parquet } from "@tfxio/formats-parquet";
import { ColumnPath, parsePredicate } from "@tfxio/schema";
import { bytesSource } from "@tfxio/wire";
import { fixture, notedSource } from "./probe.js";
import { readBatches } from "./read-parquet.js";

// 2,000 rows in row groups of 100; fixtures/make.py describes their contents.
const bytes = fixture("groups.parquet");

async function numRowsRead(filter: string): Promise<number> {
  const batches = await readBatches(bytesSource(bytes), { filter: parsePredicate(filter), columns: [] });
  return batches.reduce((sum, { numRows }) => sum + numRows, 0);
}

test.each([
  ["id == 550", 100],
  ["id > 1899", 100],
  ["id >= 1899", 200],
  ["id < 100", 100],
  ["id <= 100", 200],
  ["id in (3, 4, 1950)", 200],
  ["id == 2000", 0],
  ["id > 2.5 and id < 99.5", 100],
  ["small == 7", 100],
  ["small > 4000000000", 0],
  ['text == "row 01234"', 100],
  ['text < "row 002"', 200],
  ['text > "row 019999"', 0],
  ["ratio > 0.9505", 100],
  ["at >= 1950000", 100],
  ["late > 0", 500],
  ["late is null", 1500],
  ["id is null", 0],
  ["list == 550", 100],
  ["id == 1 or small == 19", 200],
  ["id == 1 and small == 19", 0],
  ["not id == 1", 2000],
  ["id != 1", 2000],
])("with the filter %s, row groups with %d rows in total are read", async (filter, numRows) => {
  expect(await numRowsRead(filter)).toBe(numRows);
});

test("a comparison with a value of a different type skips no row group", async () => {
  expect(await numRowsRead('id == "5"')).toBe(2000);
});

test("the Parquet reader reads only the footer and the requested columns and row groups", async () => {
  const { source, ranges } = notedSource(bytes);
  const filter = parsePredicate("id == 550");
  const [batch] = await readBatches(source, { filter, columns: [ColumnPath.of("small")], batchSize: 5000 });
  expect([...(batch!.getChild("small") as Iterable<number>)]).toEqual(Array.from({ length: 100 }, () => 5));
  const pages = ranges.filter(({ end }) => end < bytes.length);
  expect(pages).toHaveLength(1);
  expect(pages[0]!.end - pages[0]!.start).toBeLessThan(500);
});

test("the Parquet reader reads the adjacent chunks of a row group in one request", async () => {
  const { source, ranges } = notedSource(bytes);
  await readBatches(source, { batchSize: 2000 });
  expect(ranges.filter(({ end }) => end < bytes.length)).toHaveLength(20);
});

test("the Parquet reader plans many files without reading their footers", async () => {
  const noted = Array.from({ length: 50 }, () => notedSource(bytes));
  const reader = await parquet.open(noted.map(({ source }) => source));
  const plan = await reader.plan({ splitBytes: 1 });
  expect(plan.splits).toHaveLength(50);
  expect(noted.flatMap(({ ranges }) => ranges)).toHaveLength(0);
  const parts = await plan.subdivide!(plan.splits[7]!);
  expect(parts).toHaveLength(20);
  expect(parts.map(({ numRows }) => numRows)).toEqual(Array.from({ length: 20 }, () => 100));
  expect(noted.findIndex(({ ranges }) => ranges.length > 0)).toBe(7);
});

test("the Parquet reader creates splits of about the requested size, without row groups that cannot match", async () => {
  const reader = await parquet.open([bytesSource(bytes)]);
  const plan = await reader.plan({ splitBytes: bytes.length / 4, filter: parsePredicate("id >= 1000") });
  const parts = await plan.subdivide!(plan.splits[0]!);
  expect(parts.reduce((sum, { numRows = 0 }) => sum + numRows, 0)).toBe(1000);
  expect(parts).toHaveLength(2);
  expect(parts[0]!.numBytes).toBeGreaterThanOrEqual(bytes.length / 4);
  expect(parts[0]!.numBytes).toBeLessThan(bytes.length / 3);
});
