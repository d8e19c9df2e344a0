import { expect, test } from "@jest/globals";
import { bytesSource, isTfxioError } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";
import { arrow } from "../src/index.js";
import { readBatches } from "./read.js";
import { written } from "./written.js";

const rows = [
  { id: 2n ** 60n, score: 0.5, word: "ab", good: true, kind: "x", parts: [1, 2], point: { x: 1, y: null } },
  { id: -1n, score: null, word: "", good: false, kind: "y", parts: [], point: null },
  { id: 5n, score: -0.25, word: null, good: null, kind: null, parts: null, point: { x: 3, y: 2.5 } },
];
const files = await Promise.all(
  (
    [
      ["a file", {}],
      ["a stream", { container: "stream" }],
      ["an lz4 file", { compression: "lz4" }],
      ["a zstd stream", { container: "stream", compression: "zstd" }],
    ] as const
  ).map(async ([name, options]) => [name, await written(rows, { batchRows: 2, options })] as const),
);

/** Reads every value of the batches, to detect any damage. */
function touch(batches: readonly RecordBatch[]): number {
  let numCells = 0;
  for (const batch of batches) {
    for (const row of batch.toArray() as object[]) {
      numCells += Object.keys(
        JSON.parse(
          JSON.stringify(row, (_, cell: unknown) => (typeof cell === "bigint" ? String(cell) : cell)),
        ),
      ).length;
    }
  }
  return numCells;
}

/** Returns true if reading throws a `TfxioError`. Fails for any other error, and for a `TfxioError` that names another source. */
async function isRejected(bytes: Uint8Array): Promise<boolean> {
  try {
    const { batches } = await readBatches(arrow, [bytesSource(bytes, "damaged")]);
    touch(batches);
    return false;
  } catch (error) {
    if (!isTfxioError(error)) throw error;
    expect("uri" in error ? error.uri : "damaged").toBe("damaged");
    return true;
  }
}

test.each(files)("%s truncated at any byte is rejected, or yields its first rows", async (_, whole) => {
  const { batches } = await readBatches(arrow, [bytesSource(whole, "whole")], { batchSize: 1 });
  const expected = batches.map((batch) => String(batch.get(0)));
  for (let length = 0; length < whole.length; length++) {
    const found: string[] = [];
    try {
      const cut = await readBatches(arrow, [bytesSource(whole.slice(0, length), "cut")], { batchSize: 1 });
      found.push(...cut.batches.map((batch) => String(batch.get(0))));
    } catch (error) {
      expect(isTfxioError(error, "truncated-record", "corrupt-record", "malformed-payload")).toBe(true);
      expect(error).toMatchObject({ uri: "cut" });
    }
    expect(found).toEqual(expected.slice(0, found.length));
  }
});

test.each(files)("reading %s never crashes, whichever byte is flipped", async (_, whole) => {
  let numRejected = 0;
  for (let at = 0; at < whole.length; at++) {
    for (const mask of [at % 2 === 0 ? 0x01 : 0x80, 0xff]) {
      const bytes = whole.slice();
      bytes[at]! ^= mask;
      if (await isRejected(bytes)) numRejected++;
    }
  }
  expect(numRejected).toBeGreaterThan(100);
});

test("the error for an impossible footer length names the file, and states that length and the file's length", async () => {
  const [, whole] = files[0]!;
  const bytes = whole.slice();
  const lengthAt = bytes.length - 10;
  new DataView(bytes.buffer).setInt32(lengthAt, 2 ** 30, true);
  await expect(readBatches(arrow, [bytesSource(bytes, "data.arrow")])).rejects.toMatchObject({
    code: "corrupt-record",
    reason: "footer",
    message: expect.stringContaining(
      `data.arrow is damaged at byte ${lengthAt}: the footer declares a length of ${2 ** 30} bytes, ` +
        `and 10 more must follow, but the file has only ${bytes.length}`,
    ),
  });
});

test("the error for a text file states that no Arrow message begins at its first byte", async () => {
  const bytes = new TextEncoder().encode("id,fare\n1,2\n");
  await expect(readBatches(arrow, [bytesSource(bytes, "data.csv")])).rejects.toMatchObject({
    code: "corrupt-record",
    reason: "message",
    message: expect.stringContaining(
      "data.csv is not Arrow data, or is damaged: no Arrow message begins at byte 0.",
    ),
  });
});
