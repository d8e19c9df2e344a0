import { describe, expect, test } from "@jest/globals";
import { bytesSource } from "@tfxio/wire";
import { readFooter } from "../src/footer/file-footer.js";
import { scanningCursor } from "../src/row-groups/scanning-cursor.js";
import { fixture } from "./probe.js";

const LIMITS = {
  maxMetadataBytes: 2 ** 28,
  maxPageBytes: 2 ** 30,
  maxRecordBytes: 2 ** 30,
  maxColumns: 100_000,
};

// Row groups of 1,000 rows in pages of 50 rows; fixtures/make.py says what is in them.
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
    "is cut into the same pages when it arrives in %d bytes at once",
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

  test("releases the pages before a row, and asks for no more than it lacks", async () => {
    const { chunk, numRows, cursor } = await opened();
    expect(cursor.missing(1)).toEqual([{ start: chunk.start, end: chunk.end }]);
    cursor.feed([bytes.subarray(chunk.start, chunk.end)]);
    cursor.dropBefore(125);
    expect(cursor.held.pages[0]).toMatchObject({ start: 100, end: 150 });
    expect(cursor.missing(numRows)).toEqual([]);
  });

  test("is refused when the header of its last page is damaged, and only once all its bytes are there", async () => {
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
