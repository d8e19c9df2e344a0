import { openTfxio } from "@tfxio/io";
import { schemaOf } from "../decode/our-subjects.js";
import { BenchError } from "../measurement.js";
import { allSets } from "../sets/all-sets.js";

/** Reads a TFRecord file of the set called `setName` batch by batch, keeping none. */
export async function streamBatches(
  file: string,
  setName: string,
): Promise<{ readonly numRows: number; readonly largestBatchBytes: number }> {
  const set = allSets.find(({ name }) => name === setName);
  if (set === undefined) throw new BenchError(`no set "${setName}"`);
  const tfxio = await openTfxio(file, { schema: schemaOf(set.columns) });
  let numRows = 0;
  let largestBatchBytes = 0;
  for await (const batch of tfxio.recordBatches()) {
    numRows += batch.numRows;
    largestBatchBytes = Math.max(largestBatchBytes, batch.data.byteLength);
  }
  return { numRows, largestBatchBytes };
}
