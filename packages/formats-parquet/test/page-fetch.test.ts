import { setImmediate } from "node:timers/promises";
import { afterEach, expect, jest, test } from "@jest/globals";
import type { ByteSource } from "@tfxio/wire";
import type { ChunkCursor } from "../src/row-groups/chunk-cursor.js";
import { type ColumnRead, createPageFetch } from "../src/row-groups/column-reads.js";

/** Creates a column with pages of one row and one byte. It records the row that each fetch reached. */
function column(): { readonly read: ColumnRead; readonly asked: number[] } {
  const asked: number[] = [];
  let end = 0;
  const cursor: ChunkCursor = {
    held: { chunk: {} as never, dictionary: new Uint8Array(0), pages: [] },
    pending: new Uint8Array(0),
    get end() {
      return end;
    },
    missing: (row) => (row > end ? [{ start: end, end: row }] : []),
    feed([bytes]) {
      end += bytes!.length;
      asked.push(end);
    },
    dropBefore: () => undefined,
  };
  return { asked, read: { column: {} as never, cursors: [cursor], numBytes: 100 } };
}

/** Creates a source whose reads finish when `deliver` is called. */
function waitingSource() {
  const waiting: (() => void)[] = [];
  const source: ByteSource = {
    uri: "waiting",
    async slice(start, end) {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return new Uint8Array(end - start);
    },
    async *stream() {},
  };
  const deliver = async (): Promise<void> => {
    // Reads that wait for earlier ones can start now.
    await setImmediate();
    for (const resolve of waiting.splice(0)) resolve();
    await setImmediate();
  };
  return { source, deliver };
}

/** Reads 100 rows in parts of 10. The reader waits `readMs` for each part. Returns the row that each fetch reached. */
async function readRows(readMs: number): Promise<readonly number[]> {
  let now = 0;
  jest.spyOn(performance, "now").mockImplementation(() => now);
  const { source, deliver } = waitingSource();
  const pages = createPageFetch(source, { numPartsAhead: 1 }, new AbortController().signal);
  const { read, asked } = column();
  for (let row = 10; row <= 100; row += 10) {
    const fetched = pages.fetch(new Map([[read, row]]));
    now += readMs;
    for (let round = 0; round < 3; round++) await deliver();
    await fetched;
    pages.fetchAhead(new Map([[read, row]]), { numRows: 10, end: 100 });
  }
  return asked;
}

afterEach(() => {
  jest.restoreAllMocks();
});

test("a source that delivers in time is asked for one part ahead", async () => {
  expect(await readRows(1)).toEqual([10, 20, 30, 40, 50, 60, 70, 80, 90, 100]);
});

test("a slow source is asked for up to four parts at a time, and asked again only when the next part is missing", async () => {
  expect(await readRows(50)).toEqual([10, 30, 70, 100]);
});
