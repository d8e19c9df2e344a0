import { openTfxio } from "@tfxio/io";
import type { RecordBatch } from "apache-arrow";
import { schemaOf } from "../decode/our-subjects.js";
import { allSets } from "../sets/all-sets.js";
import { flatSchema } from "../tables/flat-table.js";

/**
 * Reads a file batch by batch on the calling thread, keeping none; `isLeased`: releasing each. Of TFRecords, `setName` says
 * what they hold; all other files hold the flat table.
 */
export async function streamBatches(
  file: string,
  setName: string,
  isLeased: boolean,
): Promise<{ readonly numRows: number; readonly largestBatchBytes: number }> {
  const set = allSets.find(({ name }) => name === setName);
  const tfxio = await (set === undefined
    ? openTfxio(file, { schema: flatSchema, float64: "float32-lossy" })
    : openTfxio(file, { schema: schemaOf(set.columns) }));
  let numRows = 0;
  let largestBatchBytes = 0;
  const look = (batch: RecordBatch): void => {
    numRows += batch.numRows;
    largestBatchBytes = Math.max(largestBatchBytes, batch.data.byteLength);
  };
  if (isLeased) {
    for await (const lease of tfxio.leasedBatches({ workers: 0 })) {
      look(lease.batch);
      lease.release();
    }
  } else {
    for await (const batch of tfxio.recordBatches({ workers: 0 })) look(batch);
  }
  return { numRows, largestBatchBytes };
}
