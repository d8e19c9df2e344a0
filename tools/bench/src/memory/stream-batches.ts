import { parseProto } from "@tfxio/formats-protobuf";
import { openTfxio, type Tfxio } from "@tfxio/io";
import type { RecordBatch } from "apache-arrow";
import { schemaOf } from "../decode/our-subjects.js";
import { messageSets } from "../proto/message-sets.js";
import { allSets } from "../sets/all-sets.js";
import { flatSchema } from "../tables/flat-table.js";

/**
 * Reads a file batch by batch on the calling thread, and keeps no batch.
 * @param setName Name of a set of records or messages. With any other name, `file` must contain the flat table.
 * @param isLeased Whether to lease each batch and release it at once.
 */
export async function streamBatches(
  file: string,
  setName: string,
  isLeased: boolean,
): Promise<{ readonly numRows: number; readonly largestBatchBytes: number }> {
  const tfxio = await openSet(file, setName);
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

async function openSet(file: string, setName: string): Promise<Tfxio> {
  const set = allSets.find(({ name }) => name === setName);
  if (set !== undefined) return openTfxio(file, { schema: schemaOf(set.columns) });
  const messages = messageSets.find(({ name }) => name === setName);
  if (messages === undefined) return openTfxio(file, { schema: flatSchema, float64: "float32-lossy" });
  const formatOptions = await parseProto(messages.proto, messages.message);
  return openTfxio(file, { format: "protobuf", formatOptions });
}
