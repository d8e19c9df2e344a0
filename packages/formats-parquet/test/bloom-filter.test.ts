import { describe, expect, test } from "@jest/globals";
import { parsePredicate } from "@tfxio/schema";
import { type ByteSource, bytesSource } from "@tfxio/wire";
import { COLUMN, readFooter } from "../src/footer/file-footer.js";
import { integerOf } from "../src/footer/thrift.js";
import { plainBytes } from "../src/pruning/bloom-filter.js";
import { xxHash64 } from "../src/pruning/xx-hash-64.js";
import { fixture } from "./probe.js";
import { readBatches } from "./read-parquet.js";

const LIMITS = { maxMetadataBytes: 2 ** 28, maxPageBytes: 2 ** 30, maxRecordBytes: 1, maxColumns: 1 };

async function numRowsRead(bytes: Uint8Array, filter: string): Promise<number> {
  const batches = await readBatches(bytesSource(bytes), { filter: parsePredicate(filter), columns: [] });
  return batches.reduce((sum, { numRows }) => sum + numRows, 0);
}

// Values for seed 0, published with xxHash and in the tests of its ports.
test.each([
  ["", 0xef46db3751d8e999n],
  ["a", 0xd24ec4f1a98c6e5bn],
  ["as", 0x1c330fb2d66be179n],
  ["asd", 0x631c37ce72a97393n],
  ["asdf", 0x415872f599cea71en],
  ["Call me Ishmael. Some years ago--never mind how long precisely-", 0x02a2e85470d6fd96n],
])("the XXH64 of %j has the published value", (text, hash) => {
  expect(xxHash64(new TextEncoder().encode(text))).toBe(hash);
});

describe.each(["pages-v1.parquet", "pages-v2.parquet"])("in %s, written by pyarrow,", (name) => {
  const bytes = fixture(name);

  test("most filters for an absent value skip all row groups, even those whose bounds include the value", async () => {
    // `even` has only even numbers, `code` only multiples of 3, and `ratio` only multiples of 1/4. About one absent value in a
    // hundred passes a bloom filter by chance.
    const absent = Array.from({ length: 40 }, (_, index) => [
      `even == ${2 * index + 501}`,
      `code == "c${3 * index + 1}"`,
      `ratio in (${index + 1.125}, ${index + 2.0625})`,
    ]).flat();
    let numPassed = 0;
    for (const filter of absent) if ((await numRowsRead(bytes, filter)) > 0) numPassed++;
    expect(numPassed).toBeLessThan(15);
  });

  test("a filter for a value that exists never skips its row group", async () => {
    for (let value = 0; value < 2000; value += 40) {
      expect(await numRowsRead(bytes, `even == ${2 * value}`)).toBeGreaterThan(0);
      expect(await numRowsRead(bytes, `code == "c${3 * value}"`)).toBeGreaterThan(0);
      expect(await numRowsRead(bytes, `ratio == ${value / 4}`)).toBeGreaterThan(0);
    }
    expect(await numRowsRead(bytes, 'kind == "kind 3"')).toBeGreaterThan(0);
  });

  // The first field of the header is the size of the bit set in bytes, a zigzag varint of two bytes.
  test.each([
    ["8191 bytes is not a whole number of blocks", [0xfe, 0x7f]],
    ["8160 bytes is more than the footer declares", [0xc0, 0x7f]],
  ])("a damaged bloom filter causes an error with its byte offset: %s", async (_, length) => {
    const { rowGroups } = await readFooter(bytesSource(bytes), LIMITS, undefined);
    const byteOffset = integerOf(rowGroups[0]!.chunks[1]!.metadata.get(COLUMN.bloomFilter))!;
    const damaged = bytes.slice();
    damaged.set([0x15, ...length], byteOffset);
    await expect(numRowsRead(damaged, "even == 500")).rejects.toMatchObject({
      code: "corrupt-record",
      reason: "bloom-filter",
      byteOffset,
    });
    await expect(numRowsRead(damaged, "even > 500")).resolves.toBeGreaterThan(0);
  });

  test("a bloom filter causes an error with its byte offset if the end of the file cuts it off", async () => {
    const inner = bytesSource(bytes, "short.parquet");
    const { rowGroups } = await readFooter(inner, LIMITS, undefined);
    const byteOffset = integerOf(rowGroups[0]!.chunks[1]!.metadata.get(COLUMN.bloomFilter))!;
    const lastByte = byteOffset + 10;
    const short: ByteSource = {
      uri: inner.uri,
      byteLength: bytes.length,
      slice: (start, end) =>
        inner.slice(start, start <= byteOffset && end > lastByte ? Math.max(start, lastByte) : end),
      stream: (options) => inner.stream(options),
    };
    await expect(readBatches(short, { filter: parsePredicate("even == 500") })).rejects.toMatchObject({
      code: "truncated-record",
      reason: "bloom-filter",
      byteOffset,
    });
  });
});

test("bloom filters from DuckDB exclude only row groups without the requested value", async () => {
  const bytes = fixture("bloom-duckdb.parquet");
  expect(await numRowsRead(bytes, "even == 50")).toBe(4096);
  expect(await numRowsRead(bytes, 'code == "c1050"')).toBe(4096);
  expect(await numRowsRead(bytes, "even in (51, 53)")).toBe(0);
  expect(await numRowsRead(bytes, 'code == "c1051"')).toBe(0);
});

describe("the plain encoding of a value", () => {
  // @see parquet-format `Encodings.md`, "Plain"
  test.each([
    [1, "int32", [1, 0, 0, 0]],
    [-2n, "int64", [254, 255, 255, 255, 255, 255, 255, 255]],
    [2 ** 32 - 1, "uint32", [255, 255, 255, 255]],
    [0.5, "float", [0, 0, 0, 63]],
    [1n, "double", [0, 0, 0, 0, 0, 0, 240, 63]],
    ["é", "bytes", [0xc3, 0xa9]],
  ] as const)("of %p as %s has the bytes that parquet-format specifies", (value, form, bytes) => {
    expect([...plainBytes(value, form)!]).toEqual(bytes);
  });

  test.each([
    [0, "double"],
    [Number.NaN, "float"],
    [0.1, "float"],
    [2n ** 53n + 1n, "double"],
    [1.5, "int32"],
    [2 ** 31, "int32"],
    [-1, "uint64"],
    ["1", "int64"],
    [1, "bytes"],
    [true, "int32"],
  ] as const)("of %p as %s is undefined, because there is none or more than one", (value, form) => {
    expect(plainBytes(value, form)).toBeUndefined();
  });
});
