import { expect, test } from "@jest/globals";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { bytesSource } from "@tfxio/wire";
import { tableFromIPC } from "apache-arrow";
import { arrow } from "../src/index.js";
import { canonicalBytes } from "./canonical-bytes.js";
import { readBatches } from "./read.js";

/** Real files with the row counts of their README, which were made with other software. */
const folder = path.join(import.meta.dirname, "../../../../shared/data/arrow");
const files: readonly (readonly [name: string, numRows: number, columns: readonly string[]])[] = [
  ["flights.arrow", 231083, ["delay", "distance", "time"]],
  ["compressed_none.arrow", 13, ["a", "b", "c"]],
  ["compressed_lz4.arrow", 13, ["a", "b", "c"]],
  ["decimal_test.arrow", 3, []],
  ["empty_struct.arrow", 3, []],
  ["simple.arrow", 5, []],
  ["struct.arrow", 17, []],
];

(existsSync(folder) ? test : test.skip).each(files)(
  "%s has %d rows, of the values that arrow-js reads",
  async (name, numRows) => {
    const bytes = new Uint8Array(readFileSync(path.join(folder, name)));
    const { batches } = await readBatches(arrow, [bytesSource(bytes, name)], { batchSize: 1_000_000 });
    expect(batches.reduce((sum, batch) => sum + batch.numRows, 0)).toBe(numRows);
    if (name === "compressed_lz4.arrow") return;
    const expected = tableFromIPC(bytes).batches;
    const texts = (chunks: typeof expected): string[] =>
      chunks[0]!.data.children.map((_, column) =>
        chunks
          .flatMap(({ data, numRows: length }) =>
            Array.from({ length: Math.min(length, 5000) }, (_, row) =>
              Buffer.from(canonicalBytes(data.children[column]!, row)).toString("hex"),
            ),
          )
          .slice(0, 5000)
          .join(),
      );
    expect(texts([...batches])).toEqual(texts(expected));
  },
);
