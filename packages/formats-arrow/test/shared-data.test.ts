import { expect, test } from "@jest/globals";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { bytesSource } from "@tfxio/wire";
import { type Data, type RecordBatch, tableFromIPC } from "apache-arrow";
import { arrow } from "../src/index.js";
import { canonicalBytes } from "./canonical-bytes.js";
import { readBatches } from "./read.js";

/** Real files. The row counts in their README come from other software. */
const folder = path.join(import.meta.dirname, "../../../../shared/data/arrow");
const MAX_VALUES = 5000;
const files: readonly (readonly [name: string, numRows: number])[] = [
  ["flights.arrow", 231083],
  ["compressed_none.arrow", 13],
  ["decimal_test.arrow", 3],
  ["empty_struct.arrow", 3],
  ["simple.arrow", 5],
  ["struct.arrow", 17],
];

(existsSync(folder) ? test : test.skip).each(files)(
  "%s has %d rows, and arrow-js reads the same values (at most 5,000 of each column are compared)",
  async (name, numRows) => {
    const bytes = new Uint8Array(readFileSync(path.join(folder, name)));
    const { batches } = await readBatches(arrow, [bytesSource(bytes, name)], { batchSize: 1_000_000 });
    expect(batches.reduce((sum, batch) => sum + batch.numRows, 0)).toBe(numRows);
    expect(textsOf(batches)).toEqual(textsOf(tableFromIPC(bytes).batches));
  },
);

(existsSync(folder) ? test : test.skip)(
  "compressed_lz4.arrow has 13 rows with the values of compressed_none.arrow",
  async () => {
    const read = async (name: string) => {
      const bytes = new Uint8Array(readFileSync(path.join(folder, name)));
      return (await readBatches(arrow, [bytesSource(bytes, name)], { batchSize: 1000 })).batches;
    };
    const batches = await read("compressed_lz4.arrow");
    expect(batches.map(({ numRows }) => numRows)).toEqual([13]);
    expect(textsOf(batches)).toEqual(textsOf(await read("compressed_none.arrow")));
  },
);

test("flights-200k of vega-datasets has 200,000 rows with the values that arrow-js reads", async () => {
  const file = path.join(
    path.dirname(createRequire(import.meta.url).resolve("vega-datasets")),
    "../data/flights-200k.arrow",
  );
  const bytes = new Uint8Array(readFileSync(file));
  const { batches } = await readBatches(arrow, [bytesSource(bytes, file)], { batchSize: 200_000 });
  const expected = tableFromIPC(bytes);
  expect(batches.map(({ numRows }) => numRows)).toEqual([200_000]);
  expect(String(batches[0]!.schema)).toBe(String(expected.schema));
  for (const name of ["delay", "distance", "time"]) {
    expect(batches[0]!.getChild(name)!.toArray()).toEqual(expected.getChild(name)!.toArray());
  }
});

/** Returns the first values of each column. */
function textsOf(chunks: readonly RecordBatch[]): readonly string[] {
  return chunks[0]!.data.children.map((_, column) =>
    textOf(chunks.map(({ data }) => data.children[column]!)),
  );
}

/** Returns the canonical bytes of the first values of a column, in hexadecimal. */
function textOf(chunks: readonly Data[]): string {
  const bytes = chunks.flatMap((data) =>
    Array.from({ length: Math.min(data.length, MAX_VALUES) }, (_, row) => canonicalBytes(data, row)),
  );
  return Buffer.concat(bytes.slice(0, MAX_VALUES)).toString("hex");
}
