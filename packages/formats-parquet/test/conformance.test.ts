import { expect, test } from "@jest/globals";
import { readFileSync } from "node:fs";
import path from "node:path";
import { type BrokenFixture, formatChecks, type FormatFixture } from "@tfxio/format/testkit";
import { parquet, type ParquetOptions } from "@tfxio/formats-parquet";
import { parseSchemaText } from "@tfxio/schema";

const fixture = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(path.join(import.meta.dirname, "fixtures", name)));

// The rows that fixtures/make.py writes to rows.parquet.
const rows = [
  { id: 1, name: "a", score: 0.5, tags: ["x"], kind: "p" },
  { id: 9_007_199_254_740_993n, name: null, score: -1, tags: [], kind: "q" },
  { id: -3, name: "Zürich", score: null, tags: null, kind: "p" },
  { id: 4, name: "", score: 2, tags: ["y", null], kind: null },
  { id: 5, name: "e", score: 1e300, tags: ["z"], kind: "q" },
  { id: null, name: "f", score: 0, tags: [], kind: "p" },
  { id: 7, name: "g", score: 3, tags: ["w", "v"], kind: "r" },
];
const plain = fixture("rows.parquet");
const zstd = fixture("rows-zstd-v2.parquet");

const fixtures: readonly FormatFixture<ParquetOptions>[] = [
  { name: "three row groups", sources: [plain], rows, writeOptions: { rowGroupRows: 2 } },
  {
    name: "two files",
    sources: [zstd, plain],
    rows: [...rows, ...rows],
    writeOptions: { compression: "zstd" },
  },
  { name: "no rows", sources: [fixture("no-rows.parquet")], rows: [] },
  {
    name: "with a schema",
    sources: [plain],
    rows: rows.map(({ name, id }) => ({ name, id })),
    schema: parseSchemaText('feature { name: "name" type: BYTES } feature { name: "id" type: INT }'),
    writeOptions: { dictionary: false, statistics: "none", compression: "none" },
  },
];

function changed(bytes: Uint8Array, at: number, value: number): Uint8Array {
  const copy = bytes.slice();
  copy[at < 0 ? copy.length + at : at] = value;
  return copy;
}

const broken: readonly BrokenFixture<ParquetOptions>[] = [
  { name: "no bytes", sources: [new Uint8Array(0)], error: { code: "truncated-record", reason: "footer" } },
  {
    name: "a truncated file",
    sources: [plain.subarray(0, 900)],
    error: { code: "truncated-record", reason: "footer" },
  },
  {
    name: "a footer longer than the file",
    sources: [changed(plain, -5, 1)],
    error: { code: "corrupt-record", reason: "footer" },
  },
  {
    name: "a footer longer than the limit",
    sources: [changed(plain, -5, 127)],
    error: { code: "limit-exceeded", reason: "metadata-length" },
  },
  {
    name: "bytes that are not a page header",
    sources: [changed(plain, 4, 0xff)],
    error: { code: "corrupt-record", reason: "page" },
  },
];

const checks = formatChecks(parquet, { fixtures: [...fixtures, ...broken] });

test.each(checks)("$name", async ({ run }) => {
  expect(await run()).toBeUndefined();
});
