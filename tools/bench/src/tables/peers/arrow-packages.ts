import { readFile } from "node:fs/promises";
import { BytesColumn, type FlatValues } from "@tfxio/arrow-encoding";
import { type Table, tableFromIPC } from "@uwdata/flechette";
import { RecordBatchReader } from "apache-arrow";
import { flatColumns } from "../flat-table.js";
import { inProcessTable } from "../in-process.js";
import { TableDigester, touched, touchedValues } from "../table-digest.js";
import type { TableFile } from "../table-file.js";
import type { TableSubject } from "../table-subject.js";

/** Subjects that read a file with an Arrow package from npm. Each first reads the whole file into memory. */
export const arrowPackages: readonly TableSubject[] = [
  inProcessTable({
    name: "apache-arrow",
    reads: "whole",
    eachBatch: touched,
    read: async (file, sink) => {
      for (const batch of RecordBatchReader.from(await readFile(file.path))) sink(batch);
    },
  }),
  {
    name: "flechette",
    reads: "whole",
    prepare: async () => ({
      run: async (file) => {
        const start = performance.now();
        const table = await readFlechette(file);
        for (const values of chunksOf(table, "id")) touchedValues(values as BigInt64Array);
        return { seconds: (performance.now() - start) / 1000, numRows: table.numRows };
      },
      digest: async (file) => {
        const table = await readFlechette(file);
        const digester = new TableDigester();
        for (const { name } of flatColumns) {
          for (const values of chunksOf(table, name)) {
            digester.addValues(name, values, name === "id" ? values.length : 0);
          }
        }
        return digester.digest();
      },
    }),
  },
];

async function readFlechette({ path }: TableFile): Promise<Table> {
  return tableFromIPC(await readFile(path), { useBigInt: true });
}

/** Members of flechette's batches that the package's type declarations omit. */
interface FlechetteChunk {
  readonly values: Uint8Array | Exclude<FlatValues, BytesColumn>;
  readonly offsets?: Int32Array;
  readonly length: number;
}

function chunksOf(table: Table, name: string): readonly FlatValues[] {
  const chunks = table.getChild(name).data as unknown as readonly FlechetteChunk[];
  return chunks.map(({ values, offsets, length }) =>
    offsets === undefined
      ? values.subarray(0, length)
      : new BytesColumn(values as Uint8Array, offsets.subarray(0, length + 1)),
  );
}
