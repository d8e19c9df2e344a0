import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parquet as format, type ParquetOptions } from "@tfxio/formats-parquet";
import { bytesSource, memoryTarget } from "@tfxio/wire";
import type { Data, RecordBatch } from "apache-arrow";
import { assertSame } from "../assert-same.js";
import type { Interop, InteropContext } from "../interop.js";
import { plainValue } from "../plain-column.js";
import { pythonWith, runPython } from "../python.js";
import { checkConvertedCsv } from "./converted-csv.js";

/** The content of a file as columns of plain values. */
interface PlainFile {
  readonly names: readonly string[];
  readonly columns: readonly (readonly unknown[])[];
}
type Answers = Readonly<Record<string, PlainFile | { readonly error: string }>>;

// Option sets for rewriting the files. Consecutive files use consecutive sets, starting over after the last one.
const WRITTEN: readonly Partial<ParquetOptions>[] = [
  { compression: "snappy", rowGroupRows: 2 },
  { compression: "zstd" },
  { compression: "gzip", dictionary: false },
  { compression: "brotli", statistics: "page" },
  { compression: "lz4", statistics: "none" },
  { compression: "none" },
];

/** Checks that we read real Parquet files as pyarrow does, and that pyarrow and DuckDB read the files that we write. */
export const parquet: Interop = {
  name: "parquet",
  about: "reads Parquet files as pyarrow does, and lets pyarrow and DuckDB read ours",
  run: async (context) => {
    const files = await parquetFiles(context);
    const python = await pythonWith("pyarrow", context);
    const answers = (await runPython(python, "parquet_rows.py", files)) as Answers;
    for (const file of files) {
      const name = path.basename(file);
      const answer = answers[file]!;
      if ("error" in answer) {
        context.report.skipped(`we read ${name} as pyarrow does`, answer.error.split("\n")[0] ?? "");
        continue;
      }
      await context.report.check(`we read ${name} as pyarrow does`, async () => {
        assertSame(answer, plainFile(await read(await readFile(file)), answer.names));
      });
    }
    await checkWritten(python, files, context);
  },
};

/**
 * Rewrites each readable file with one of {@link WRITTEN}. Checks that pyarrow reads the rows that we wrote, and that DuckDB
 * finds the same numbers of rows and nulls.
 */
async function checkWritten(
  python: string,
  files: readonly string[],
  context: InteropContext,
): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "tfxio-interop-"));
  try {
    const written: { readonly file: string; readonly name: string; readonly expected: PlainFile }[] = [];
    for (const [index, source] of files.entries()) {
      const batches = await read(await readFile(source)).catch(() => []);
      if (batches.length === 0) continue;
      const options = WRITTEN[index % WRITTEN.length]!;
      const file = path.join(folder, `${index}.parquet`);
      await writeFile(file, await encoded(batches, options));
      const expected = plainFile(
        batches,
        batches[0]!.schema.fields.map(({ name }) => name),
      );
      written.push({
        file,
        name: `${path.basename(source)} (${Object.entries(options)
          .map((each) => each.join(" "))
          .join(", ")})`,
        expected,
      });
    }
    const paths = written.map(({ file }) => file);
    const answers = (await runPython(python, "parquet_rows.py", paths)) as Answers;
    for (const { file, name, expected } of written) {
      await context.report.check(`pyarrow reads ${name} as we wrote it`, () =>
        assertSame(expected, answers[file]),
      );
    }
    await checkConvertedCsv(python, folder, context);
    const duckdb = await pythonWith("duckdb", context);
    const counts = (await runPython(duckdb, "parquet_counts.py", paths)) as Readonly<Record<string, unknown>>;
    for (const { file, name, expected } of written) {
      await context.report.check(`DuckDB finds the correct numbers of rows and nulls in ${name}`, () =>
        assertSame(
          { numRows: expected.columns[0]?.length ?? 0, numNulls: expected.columns.map(numNullsOf) },
          counts[file],
        ),
      );
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function numNullsOf(column: readonly unknown[]): number {
  return column.filter((value) => value === null).length;
}

/** Returns the paths of all real Parquet files; empty if the folder does not exist. */
async function parquetFiles({ dataFolder }: InteropContext): Promise<string[]> {
  const folder = path.join(dataFolder, "parquet");
  if (!existsSync(folder)) return [];
  const names = await readdir(folder, { recursive: true });
  return names.filter((name) => name.endsWith(".parquet")).map((name) => path.join(folder, name));
}

async function read(bytes: Uint8Array): Promise<RecordBatch[]> {
  const reader = await format.open([bytesSource(bytes)]);
  const plan = await reader.plan();
  const batches: RecordBatch[] = [];
  for (const split of plan.splits) for await (const batch of plan.read(split)) batches.push(batch);
  return batches;
}

async function encoded(
  batches: readonly RecordBatch[],
  options: Partial<ParquetOptions>,
): Promise<Uint8Array> {
  const target = memoryTarget();
  const writer = await format.createWriter(target, { arrowSchema: batches[0]!.schema, options });
  for (const batch of batches) await writer.write(batch);
  await writer.finish();
  await target.commit();
  return target.bytes();
}

function plainFile(batches: readonly RecordBatch[], names: readonly string[]): PlainFile {
  const columns = names.map((_, index) =>
    batches.flatMap(({ numRows, data }) =>
      Array.from({ length: numRows }, (_row, row) => plainValue(data.children[index] as Data, row)),
    ),
  );
  return { names, columns };
}
