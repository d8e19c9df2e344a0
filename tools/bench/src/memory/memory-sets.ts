import { mkdir, open, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Format } from "@tfxio/format";
import { arrow } from "@tfxio/formats-arrow";
import { parquet } from "@tfxio/formats-parquet";
import { parseProto } from "@tfxio/formats-protobuf";
import { encodeMessage, type Schema, SchemaSchema } from "@tfxio/schema";
import { frameTfRecords, openTarget } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";
import { schemaOf } from "../decode/our-subjects.js";
import { BenchError, type BenchOptions } from "../measurement.js";
import { type MessageSet, messageSets } from "../proto/message-sets.js";
import type { BenchSet } from "../sets/bench-set.js";
import { criteo } from "../sets/criteo.js";
import { generateSet } from "../sets/generate.js";
import { Random } from "../sets/random.js";
import { wide } from "../sets/wide.js";
import { flatSchema } from "../tables/flat-table.js";
import { readFormat } from "../tables/our-tables.js";
import { generateTable } from "../tables/table-file.js";
import type { StreamRequest } from "./stream-batches.js";
import { type StreamedFile, streamedPath, writeStreamedFile } from "./streamed-file.js";

/** A set of the bench: a large file in one format. */
export interface MemorySet {
  readonly name: string;
  /** Resolves to the schema and options with which the child process opens the file. */
  openOptions(): Promise<Pick<StreamRequest, "schema" | "options">>;
  /** True if its format lends memory to leased batches. */
  readonly isLeasable: boolean;
  /** Writes the file into the cache folder. The caller must remove it. */
  write(options: BenchOptions): Promise<StreamedFile>;
}

/** Maximum number of bytes to generate for a file of messages. The rest of the file repeats them. */
const MESSAGE_PART_BYTES = 16e6;

/** All sets: short and long tf.Examples, messages of other types, and the flat table in several file formats. */
export const memorySets: readonly MemorySet[] = [
  recordSet(criteo),
  recordSet(wide),
  ...messageSets.map(messagesSet),
  textSet("csv"),
  textSet("jsonl"),
  tableSet("arrow", arrow, { container: "file", compression: "none" }),
  tableSet("arrow-zstd", arrow, { container: "file", compression: "zstd" }),
  tableSet("arrows", arrow, { container: "stream", compression: "none" }),
  tableSet("arrows-zstd", arrow, { container: "stream", compression: "zstd" }),
  // 2^20 rows is the default size of a row group in pyarrow.
  tableSet("parquet", parquet, { rowGroupRows: 2 ** 20 }),
];

function recordSet(set: BenchSet): MemorySet {
  return {
    name: set.name,
    openOptions: async () => ({ schema: base64(schemaOf(set.columns)), options: {} }),
    isLeasable: true,
    write: async ({ setBytes, streamedBytes, cacheFolder }) => {
      const part = await generateSet(set, Math.min(setBytes, streamedBytes), cacheFolder);
      return writeStreamedFile(part, streamedBytes);
    },
  };
}

function messagesSet(set: MessageSet): MemorySet {
  return {
    name: set.name,
    openOptions: async () => {
      const formatOptions = await parseProto(set.proto, set.message);
      return { options: { format: "protobuf", formatOptions } };
    },
    isLeasable: true,
    write: async ({ setBytes, streamedBytes, cacheFolder }) => {
      const random = new Random(7);
      const records: Uint8Array[] = [];
      const partBytes = Math.min(setBytes, streamedBytes, MESSAGE_PART_BYTES);
      for (let left = partBytes; left > 0; left -= records.at(-1)?.length ?? 0)
        records.push(set.record(random));
      const file = path.join(cacheFolder, `messages-${set.name}-${process.pid}.tfrecord`);
      const bytes = frameTfRecords(records);
      await mkdir(cacheFolder, { recursive: true });
      await writeFile(file, bytes);
      try {
        const part = { path: file, numBytes: bytes.length, numRecords: records.length };
        return await writeStreamedFile(part, streamedBytes);
      } finally {
        await rm(file);
      }
    },
  };
}

function textSet(kind: "csv" | "jsonl"): MemorySet {
  return {
    name: kind,
    openOptions: openFlatTable,
    isLeasable: false,
    write: async ({ setBytes, streamedBytes, cacheFolder }) => {
      const table = await generateTable(kind, Math.min(setBytes, streamedBytes), cacheFolder);
      const headerBytes = kind === "csv" ? await firstLineBytes(table.path) : 0;
      return writeStreamedFile({ ...table, numRecords: table.numRows, headerBytes }, streamedBytes);
    },
  };
}

async function openFlatTable(): Promise<Pick<StreamRequest, "schema" | "options">> {
  return { schema: base64(flatSchema), options: { float64: "float32-lossy" } };
}

function base64(schema: Schema): string {
  return Buffer.from(encodeMessage(SchemaSchema, schema)).toString("base64");
}

async function firstLineBytes(file: string): Promise<number> {
  const handle = await open(file);
  try {
    const { buffer } = await handle.read(Buffer.alloc(4096), 0, 4096, 0);
    return buffer.indexOf("\n") + 1;
  } finally {
    await handle.close();
  }
}

/** Returns a set in a format whose files cannot be concatenated, so one writer writes the table's batches repeatedly. */
function tableSet<Options extends object>(
  name: string,
  format: Format<Options> & Required<Pick<Format<Options>, "createWriter">>,
  options: Partial<Options>,
): MemorySet {
  return {
    name,
    openOptions: openFlatTable,
    isLeasable: false,
    write: async ({ setBytes, streamedBytes, cacheFolder }) => {
      const table = await generateTable("arrow", Math.min(setBytes, streamedBytes), cacheFolder);
      const batches: RecordBatch[] = [];
      await readFormat(arrow)(table, (batch) => batches.push(batch));
      const [first] = batches;
      if (first === undefined) throw new BenchError(`memory ${name}: the table is empty`);
      const extension = name.startsWith("arrows") ? ".arrows" : (format.extensions[0] as string);
      const file = streamedPath(`${table.path}${extension}`);
      const target = await openTarget(file);
      const writer = await format.createWriter(target, { arrowSchema: first.schema, options });
      let numRecords = 0;
      // The loop counts bytes before compression, so a compressed file is smaller than `streamedBytes`.
      for (let written = 0; written < streamedBytes; written += table.numBytes) {
        for (const batch of batches) await writer.write(batch);
        numRecords += table.numRows;
      }
      await writer.finish();
      await target.commit();
      const { size: numBytes } = await stat(file);
      return { path: file, numBytes, numRecords, remove: () => rm(file) };
    },
  };
}
