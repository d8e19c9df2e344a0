import path from "node:path";
import { type PlainRow, plainRows } from "@tfxio/arrow-encoding";
import { arrow } from "@tfxio/formats-arrow";
import { csv } from "@tfxio/formats-csv";
import { parseSchemaText, type Schema } from "@tfxio/schema";
import { assertSame } from "../assert-same.js";
import type { Reporter } from "../interop.js";
import { runPython } from "../python.js";
import { type ForeignFile, readBatches, writeBatches } from "./foreign-files.js";

/** What a reader found in a file of ours, and what it should have; or why it refused the file. */
interface CsvReading {
  readonly wanted?: unknown;
  readonly found?: unknown;
  readonly error?: string;
}

// The column `double` is left out: features of floats are float32.
const schema: Schema = parseSchemaText(`
  feature { name: "row" type: INT }
  feature { name: "int64" type: INT }
  feature { name: "float" type: FLOAT }
  feature { name: "string" type: BYTES }
`);

/** CSV files that others wrote, read by us; and the table in `cells`, an Arrow stream, as we write it in CSV, read by them. */
export async function checkCsvFiles(
  written: readonly ForeignFile[],
  cells: string,
  python: string,
  { check }: Reporter,
): Promise<void> {
  const folder = path.dirname(cells);
  for (const { file, writer, rows } of written) {
    await check(`we read ${file} as ${writer} wrote it`, async () => {
      const batches = await readBatches(csv, path.join(folder, file), {
        request: { schema },
        // Python's module writes null and the empty string alike.
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
  const readings = await runPython(python, "csv_compare.py", [cells, ours]);
  for (const [reader, { wanted, found, error }] of Object.entries(readings as Record<string, CsvReading>)) {
    await check(`${reader} reads CSV as we write it`, () => {
      if (error !== undefined) throw new Error(error);
      assertSame(wanted, found);
    });
  }
}

/** A row in list form, of the columns of {@link schema}. */
function listRow(row: PlainRow, writer: string): PlainRow {
  return Object.fromEntries(
    schema.feature.map(({ name }) => {
      const value = row[name] ?? null;
      const isNull = value === null || (value === "" && writer === "python");
      return [name, isNull ? null : [value]];
    }),
  );
}
