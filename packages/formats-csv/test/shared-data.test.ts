import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { readCsv } from "./read-csv.js";

// Real files. The expected counts are from their README, and were obtained with another reader.
const folder = path.resolve(import.meta.dirname, "../../../../shared/data");

const files = [
  { file: "taxi/csv/data.csv", numRows: 10_000, numColumns: 18 },
  { file: "csv/empty_cells.csv", numRows: 3, numColumns: 4 },
  { file: "csv/multi_line_string.csv", numRows: 3, numColumns: 4 },
  { file: "penguin/penguins_processed.csv", numRows: 334, numColumns: 5 },
  { file: "text/cola_train_small.csv", numRows: 100, numColumns: 3 },
  { file: "csv/airline-passengers.csv", numRows: 144, numColumns: 2 },
];

(existsSync(folder) ? describe : describe.skip)("the real file", () => {
  test.each(files)(
    "$file has $numRows rows and $numColumns columns, whether split or not",
    async ({ file, numRows, numColumns }) => {
      const bytes = readFileSync(path.join(folder, file));
      for (const request of [{}, { splitBytes: 10_000 }]) {
        const rows = await readCsv(bytes, { options: { infer: "full" }, request });
        expect(rows).toHaveLength(numRows);
        expect(Object.keys(rows[0] as object)).toHaveLength(numColumns);
      }
    },
  );
});
