import path from "node:path";
import { type PlainRow, plainRows } from "@tfxio/arrow-encoding";
import type { Format, ReadRequest, WritableFormat } from "@tfxio/format";
import { type Schema, parseSchemaText } from "@tfxio/schema";
import { openSources } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";
import { assertSame } from "../assert-same.js";
import { type InteropContext, Unavailable } from "../interop.js";
import { pythonWith, runPython } from "../python.js";
import { checkCsvDialects } from "./csv-dialects.js";
import { writeBatches } from "./write-batches.js";

/** A file that foreign software wrote, and its rows as `plainRows` has them. */
interface ForeignFile {
  readonly file: string;
  readonly writer: string;
  readonly rows: readonly PlainRow[];
}

/** An Arrow file as pyarrow reads it. */
interface ReadByPyarrow {
  readonly types: Readonly<Record<string, string>>;
  readonly rows: readonly PlainRow[];
}

/** What a reader of CSV found in a file of ours, and what it should have; or why it refused the file. */
interface CsvReading {
  readonly wanted?: unknown;
  readonly found?: unknown;
  readonly error?: string;
}

const arrowLayouts = ["file", "stream"].flatMap((container) =>
  ["none", "lz4", "zstd"].map((compression) => ({ container, compression })),
);

// The column `double` is left out: features of floats are float32.
const csvSchema: Schema = parseSchemaText(`
  feature { name: "row" type: INT }
  feature { name: "int64" type: INT }
  feature { name: "float" type: FLOAT }
  feature { name: "string" type: BYTES }
`);

/** Files of pyarrow, polars and DuckDB read by us, and ours read by them. `folder` is for files. */
export async function checkTableFiles(context: InteropContext, folder: string): Promise<void> {
  const python = await pythonWith("tables", context);
  const { check } = context.report;
  const at = (file: string): string => path.join(folder, file);
  const written = (await runPython(python, "table_write.py", [folder])) as readonly ForeignFile[];
  const [arrow, csv] = [
    await formatOf(import("@tfxio/formats-arrow"), "arrow"),
    await formatOf(import("@tfxio/formats-csv"), "csv"),
  ];
  for (const { file, writer, rows } of written) {
    if (file.endsWith(".csv")) {
      await check(`we read ${file} as ${writer} wrote it`, async () => {
        // What Python's module writes of null and of the empty string is the same.
        const options = { quotedNulls: writer === "python" };
        const batches = await batchesOf(csv, at(file), { schema: csvSchema }, options);
        assertSame(
          rows.map((row) => listRow(row, writer)),
          batches.flatMap(plainRows),
        );
      });
      continue;
    }
    await check(`we read ${file} as ${writer} wrote it`, async () => {
      const batches = await batchesOf(arrow, at(file));
      assertSame(rows, batches.flatMap(plainRows));
    });
    for (const layout of arrowLayouts) {
      const { container, compression } = layout;
      await check(
        `pyarrow validates and reads ${file} as we write it, ${container}, ${compression}`,
        async () => {
          const batches = await batchesOf(arrow, at(file));
          const ours = at(`ours-${container}-${compression}-${file}`);
          await writeBatches(arrow, ours, batches, layout);
          const answer = await runPython(python, "table_compare.py", [at(file), ours]);
          const { theirs, ours: found } = answer as {
            readonly theirs: ReadByPyarrow;
            readonly ours: ReadByPyarrow;
          };
          assertSame({ ...theirs, types: withoutViews(theirs.types) }, found);
        },
      );
    }
  }
  const cells = await batchesOf(arrow, at("cells.arrows"));
  await writeBatches(csv, at("ours.csv"), cells, {});
  const readings = await runPython(python, "csv_compare.py", [at("cells.arrows"), at("ours.csv")]);
  for (const [reader, { wanted, found, error }] of Object.entries(readings as Record<string, CsvReading>)) {
    await check(`${reader} reads CSV as we write it`, () => {
      if (error !== undefined) throw new Error(error);
      assertSame(wanted, found);
    });
  }
  await checkCsvDialects(csv, python, folder, context.report);
}

async function batchesOf(
  format: Format,
  file: string,
  request: ReadRequest = {},
  options: object = {},
): Promise<RecordBatch[]> {
  const reader = await format.open(await openSources(file), { options });
  const batches: RecordBatch[] = [];
  try {
    const plan = await reader.plan(request);
    for (const split of plan.splits) for await (const batch of plan.read(split)) batches.push(batch);
  } finally {
    await reader.close();
  }
  return batches;
}

/** A row in list form, of the columns of {@link csvSchema}. */
function listRow(row: PlainRow, writer: string): PlainRow {
  return Object.fromEntries(
    csvSchema.feature.map(({ name }) => {
      const value = row[name] ?? null;
      const isNull = value === null || (value === "" && writer === "python");
      return [name, isNull ? null : [value]];
    }),
  );
}

/** We write what views hold, without the views. */
function withoutViews(types: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(types).map(([name, type]) => [name, type.replaceAll("_view", "")]),
  );
}

/** The format that a package exports as `name`. @throws {Unavailable} when it has none yet. */
async function formatOf(module: Promise<object>, name: string): Promise<WritableFormat> {
  const found = ((await module) as Readonly<Record<string, WritableFormat | undefined>>)[name];
  if (found === undefined) throw new Unavailable(`there is no format "${name}" yet`);
  return found;
}
