import { readFile } from "node:fs/promises";
import { parquet } from "@tfxio/formats-parquet";
import { ColumnPath } from "@tfxio/schema";
import { fileSource } from "@tfxio/wire";
import { tableFromIPC } from "apache-arrow";
import { asyncBufferFromFile, parquetRead } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import * as parquetWasm from "parquet-wasm";
import type { ParquetSet } from "./parquet-file.js";

/** One way to read all rows of a file. */
export interface ParquetSubject {
  readonly name: string;
  /** Reads at least the columns that the set selects, for all rows. Resolves to the number of rows. */
  readonly read: (file: string, set: ParquetSet) => Promise<number>;
}

const BATCH_ROWS = 65_536;

/** The subjects: our reader with two batch sizes, and the npm packages. */
export const parquetSubjects: readonly ParquetSubject[] = [
  { name: "ours", read: (file, set) => readOurs(file, set, BATCH_ROWS) },
  // The same reader with smaller batches.
  { name: "ours:4096", read: (file, set) => readOurs(file, set, 4096) },
  {
    name: "parquet-wasm",
    // This reads all columns. The package's asynchronous reader could select columns, but its WebAssembly traps on the file of
    // `flat:1of8`, and the promise never settles.
    async read(file) {
      return tableFromIPC(parquetWasm.readParquet(await readFile(file)).intoIPCStream()).numRows;
    },
  },
  {
    name: "hyparquet",
    async read(file, { columns }) {
      let numRows = 0;
      await parquetRead({
        file: await asyncBufferFromFile(file),
        compressors,
        ...(columns !== undefined && { columns: [...columns] }),
        onChunk: ({ rowEnd }) => {
          numRows = Math.max(numRows, rowEnd);
        },
      });
      return numRows;
    },
  },
];

async function readOurs(file: string, { columns }: ParquetSet, batchSize: number): Promise<number> {
  const reader = await parquet.open([await fileSource(file)]);
  const plan = await reader.plan({ batchSize, columns: columns?.map((name) => ColumnPath.of(name)) });
  let numRows = 0;
  for (const split of plan.splits) for await (const batch of plan.read(split)) numRows += batch.numRows;
  await reader.close();
  return numRows;
}
