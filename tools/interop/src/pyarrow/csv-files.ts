import path from "node:path";
import { type PlainRow, plainRows } from "@tfxio/arrow-encoding";
import { arrow } from "@tfxio/formats-arrow";
import { csv } from "@tfxio/formats-csv";
import { parseSchemaText, type Schema } from "@tfxio/schema";
import { assertSame } from "../assert-same.js";
import type { Reporter } from "../interop.js";
import { runPython } from "../python.js";
import {
  checkReadings,
  type ForeignFile,
  readBatches,
  type Readings,
  writeBatches,
} from "./foreign-files.js";

// The schema omits the column `double`, because float features are float32.
const schema: Schema = parseSchemaText(`
  feature { name: "row" type: INT }
  feature { name: "int64" type: INT }
  feature { name: "float" type: FLOAT }
  feature { name: "string" type: BYTES }
`);

/**
 * Checks that we read the CSV files of other writers, and that other readers read ours.
 * @param cells Path of an Arrow file with the table that we write as CSV.
 */
export async function checkCsvFiles(
  written: readonly ForeignFile[],
  cells: string,
  python: string,
  report: Reporter,
): Promise<void> {
  const folder = path.dirname(cells);
  for (const { file, writer, rows } of written) {
    await report.check(`we read ${file} as ${writer} wrote it`, async () => {
      const batches = await readBatches(csv, path.join(folder, file), {
        request: { schema },
        // Python's csv module writes null and the empty string alike. The other writers quote the empty string, but not null.
        options: { quotedNulls: writer === "python" },
      });
      assertSame(
        rows.map((row) => listRow(row, writer)),
        batches.flatMap(plainRows),
      );
    });
  }
  const ours = path.join(folder, "ours.csv");
  await writeBatches(csv, ours, await readBatches(arrow, cells), {});
  await checkReadings("CSV", (await runPython(python, "csv_compare.py", [cells, ours])) as Readings, report);
}

/** Returns a row with the columns of {@link schema}. Each column is a list of one value, or null. */
function listRow(row: PlainRow, writer: string): PlainRow {
  return Object.fromEntries(
    schema.feature.map(({ name }) => {
      const value = row[name] ?? null;
      const isNull = value === null || (value === "" && writer === "python");
      return [name, isNull ? null : [value]];
    }),
  );
}
