import { describe, expect, test } from "@jest/globals";
import { bytesSource, Random } from "@tfxio/wire";
import { Field, Int64, List, Schema as ArrowSchema, makeData } from "apache-arrow";
import { recordBatchOf } from "@tfxio/arrow-encoding";
import { readFooter } from "../src/footer/file-footer.js";
import { scanningCursor } from "../src/row-groups/scanning-cursor.js";
import { fixture } from "./probe.js";
import { parquetFile } from "./read-parquet.js";

const LIMITS = {
  maxMetadataBytes: 2 ** 28,
  maxPageBytes: 2 ** 30,
  maxRecordBytes: 2 ** 30,
  maxColumns: 100_000,
};

// Row groups of 1,000 rows in pages of 50 rows; fixtures/make.py describes their contents.
describe.each(["pages-v1.parquet", "pages-v2.parquet"])("the first column of %s", (name) => {
  const bytes = fixture(name);

  async function opened() {
    const footer = await readFooter(bytesSource(bytes), LIMITS, undefined);
    const { chunks, numRows } = footer.rowGroups[0]!;
    const chunk = chunks[0]!;
    const cursor = scanningCursor({ chunk, numRows, isFlat: true, uri: name, limits: LIMITS });
    return { chunk, numRows, cursor };
  }

  test.each([1, 7, 100, 1000])(
    "is split into pages of 50 rows when it arrives in %d-byte pieces",
    async (size) => {
      const { chunk, numRows, cursor } = await opened();
      for (let at = chunk.start; at < chunk.end; at += size) {
        cursor.feed([bytes.subarray(at, Math.min(chunk.end, at + size))]);
      }
      const { pages, dictionary } = cursor.held;
      expect(cursor.end).toBe(numRows);
      expect(pages.map(({ start, end }) => [start, end])).toEqual(
        Array.from({ length: numRows / 50 }, (_, page) => [50 * page, 50 * page + 50]),
      );
      const stored = [dictionary, ...pages.map((page) => page.bytes)];
      expect(Buffer.concat(stored).equals(bytes.subarray(chunk.start, chunk.end))).toBe(true);
    },
  );

  test("is not requested again after dropBefore(125), which keeps the page with row 125", async () => {
    const { chunk, numRows, cursor } = await opened();
    expect(cursor.missing(1)).toEqual([{ start: chunk.start, end: chunk.end }]);
    cursor.feed([bytes.subarray(chunk.start, chunk.end)]);
    cursor.dropBefore(125);
    expect(cursor.held.pages[0]).toMatchObject({ start: 100, end: 150 });
    expect(cursor.missing(numRows)).toEqual([]);
  });

  test("is rejected for a damaged header of its last page, but only when the last bytes of the column arrive", async () => {
    const { chunk, cursor: sound } = await opened();
    const damaged = bytes.slice(chunk.start, chunk.end);
    sound.feed([damaged]);
    const header = damaged.length - sound.held.pages.at(-1)!.bytes.length;
    damaged.fill(0xff, header);
    const { cursor } = await opened();
    cursor.feed([damaged.subarray(0, header + 10)]);
    expect(() => cursor.feed([damaged.subarray(header + 10)])).toThrow("[corrupt-record]");
  });
});

test("a long chunk of lists in version 1 pages becomes one page, whose first bytes are requested again", async () => {
  const random = Random.of(1, 0);
  const type = new List(new Field("item", new Int64(), true));
  const offsets = new Int32Array(120_001);
  for (let row = 0; row < 120_000; row++) offsets[row + 1] = offsets[row]! + random.below(8);
  const numbers = BigInt64Array.from({ length: offsets.at(-1) }, () => BigInt(random.below(2 ** 30)));
  const child = makeData({ type: new Int64(), data: numbers });
  const list = makeData({ type, length: 120_000, nullCount: 0, valueOffsets: offsets, child });
  const arrowSchema = new ArrowSchema([new Field("list", type, true)]);
  const file = await parquetFile(arrowSchema, [recordBatchOf(arrowSchema, list.length, [list])]);
  const { rowGroups } = await readFooter(bytesSource(file), LIMITS, undefined);
  const { chunks, numRows } = rowGroups[0]!;
  const chunk = chunks[0]!;
  const cursor = scanningCursor({ chunk, numRows, isFlat: false, uri: "lists", limits: LIMITS });
  const [first] = cursor.missing(1);
  expect(first).toEqual({ start: chunk.start, end: chunk.start + 2 ** 20 });
  cursor.feed([file.subarray(first!.start, first!.end)]);
  expect(cursor.pending).toHaveLength(0);
  const [rest] = cursor.missing(1);
  expect(rest).toEqual({ start: chunk.start + cursor.held.dictionary.length, end: chunk.end });
  cursor.feed([file.subarray(rest!.start, rest!.end)]);
  expect(cursor.held.pages).toMatchObject([{ start: 0, end: numRows, numValues: chunk.numValues }]);
  expect(cursor.held.pages[0]!.bytes).toEqual(file.subarray(rest!.start, rest!.end));
});
