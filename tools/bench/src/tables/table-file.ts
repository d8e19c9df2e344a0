import { existsSync } from "node:fs";
import { mkdir, open, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { arrow } from "@tfxio/formats-arrow";
import { memoryTarget } from "@tfxio/wire";
import { type RecordBatch, RecordBatchFileWriter } from "apache-arrow";
import { Random } from "../sets/random.js";
import { createFlatRows, flatColumns, type FlatRow } from "./flat-table.js";
import { typedRows } from "./peers/assemble-rows.js";

/** File format of a table. arrow-js writes `arrow` files, and our writer writes the compressed Arrow files. */
export type TableKind = "csv" | "jsonl" | "arrow" | "arrow-lz4" | "arrow-zstd";

/** A generated file and its size. */
export interface TableFile {
  readonly path: string;
  readonly numBytes: number;
  readonly numRows: number;
}

// Version in the names of generated files. Increment it when the bytes change, so that no bench measures a stale file.
const generatorVersion = 1;
const seed = 20_261_122;
const chunkBytes = 1 << 20;

/**
 * Generates a file of complete rows, with about `numBytes` bytes before compression. The file stays in `folder`, and later
 * runs reuse it.
 */
export async function generateTable(kind: TableKind, numBytes: number, folder: string): Promise<TableFile> {
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, `flat-${numBytes}-v${generatorVersion}.${kind}`);
  const manifest = `${file}.json`;
  if (existsSync(file) && existsSync(manifest)) {
    return { path: file, ...(JSON.parse(await readFile(manifest, "utf8")) as Omit<TableFile, "path">) };
  }
  const temporary = `${file}.${process.pid}.tmp`;
  const facts = await writeTable(kind, numBytes, temporary);
  await rename(temporary, file);
  await writeFile(manifest, JSON.stringify(facts));
  return { path: file, ...facts };
}

async function writeTable(kind: TableKind, numBytes: number, file: string): Promise<Omit<TableFile, "path">> {
  const nextRow = createFlatRows(new Random(seed));
  const target = await open(file, "w");
  let written = 0;
  let numRows = 0;
  const write = async (bytes: Uint8Array): Promise<void> => {
    await target.writeFile(bytes);
    written += bytes.length;
  };
  try {
    if (kind !== "csv" && kind !== "jsonl") {
      const batches = collectBatches(nextRow, numBytes);
      numRows = batches.reduce((total, batch) => total + batch.numRows, 0);
      await write(kind === "arrow" ? arrowJsFile(batches) : await compressedFile(batches, kind));
    } else {
      const lineOf = kind === "csv" ? csvLine : jsonLine;
      const encoder = new TextEncoder();
      let chunk = kind === "csv" ? `${flatColumns.map(({ name }) => name).join(",")}\n` : "";
      while (written + chunk.length < numBytes) {
        chunk += lineOf(nextRow());
        numRows++;
        if (chunk.length >= chunkBytes) {
          await write(encoder.encode(chunk));
          chunk = "";
        }
      }
      await write(encoder.encode(chunk));
    }
  } finally {
    await target.close();
  }
  return { numBytes: written, numRows };
}

/** Generates batches of rows. By a rough estimate, their values have `numBytes` bytes in total. */
function collectBatches(nextRow: () => FlatRow, numBytes: number): RecordBatch[] {
  const batches: RecordBatch[] = [];
  const rows = typedRows(flatColumns, (batch) => batches.push(batch));
  for (let size = 0; size < numBytes; ) {
    const row = nextRow();
    rows.append(row);
    size += 52 + row[6].length + row[7].length;
  }
  rows.finish();
  return batches;
}

function arrowJsFile(batches: readonly RecordBatch[]): Uint8Array {
  const writer = new RecordBatchFileWriter();
  for (const batch of batches) writer.write(batch);
  return writer.finish().toUint8Array(true);
}

async function compressedFile(
  batches: readonly RecordBatch[],
  kind: "arrow-lz4" | "arrow-zstd",
): Promise<Uint8Array> {
  const target = memoryTarget(kind);
  const compression = kind === "arrow-lz4" ? "lz4" : "zstd";
  const { schema: arrowSchema } = batches[0] as RecordBatch;
  const writer = await arrow.createWriter(target, {
    arrowSchema,
    options: { container: "file", compression },
  });
  for (const batch of batches) await writer.write(batch);
  await writer.finish();
  await target.commit();
  return target.bytes();
}

function csvLine(row: FlatRow): string {
  const title = row[7];
  const quoted = /[",]/.test(title) ? `"${title.replaceAll('"', '""')}"` : title;
  return `${row.slice(0, 7).join(",")},${quoted}\n`;
}

function jsonLine(row: FlatRow): string {
  const members = flatColumns.map(({ name, kind }, index) => {
    const cell = row[index] as string;
    return `"${name}":${kind === "bytes" ? JSON.stringify(cell) : cell}`;
  });
  return `{${members.join(",")}}\n`;
}
