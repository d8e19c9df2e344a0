import type { RecordBatch } from "apache-arrow";
import { TableDigester } from "./table-digest.js";
import type { TableFile } from "./table-file.js";
import type { TableSubject } from "./table-subject.js";

/** A function that reads a file and passes its batches to `sink`. */
export type ReadTable = (file: TableFile, sink: (batch: RecordBatch) => void) => Promise<void>;

/** Description of a subject that runs in this process. */
export interface InProcessTable extends Pick<TableSubject, "name" | "reads"> {
  readonly read: ReadTable;
  /** Additional timed work on each batch. */
  readonly eachBatch?: (batch: RecordBatch) => void;
}

/** Creates a subject that runs on this thread. */
export function inProcessTable({ read, eachBatch, ...subject }: InProcessTable): TableSubject {
  return {
    ...subject,
    prepare: async () => ({
      run: async (file) => {
        let numRows = 0;
        const start = performance.now();
        await read(file, (batch) => {
          numRows += batch.numRows;
          eachBatch?.(batch);
        });
        return { seconds: (performance.now() - start) / 1000, numRows };
      },
      digest: async (file) => {
        const digester = new TableDigester();
        await read(file, (batch) => digester.add(batch));
        return digester.digest();
      },
    }),
  };
}
