import type { Dataset } from "@tfxio/dataset";
import {
  ArrowDataset,
  type ArrowDatasetOptions,
  ArrowFeatherDataset,
  ArrowStreamDataset,
} from "@tfxio/dataset/arrow";
import { arrow } from "@tfxio/formats-arrow";
import type { EndpointInput } from "@tfxio/formats-arrow/client";
import { bytesSource } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";
import type { DatasetVector } from "./vector.js";

function bytesOf(base64: string): Uint8Array {
  return new Uint8Array(Buffer.from(base64, "base64"));
}

/** Reads the record batches of an IPC stream without joining or splitting them. */
async function batchesOf(bytes: Uint8Array): Promise<RecordBatch[]> {
  const reader = await arrow.open([bytesSource(bytes, "vector")], { options: { joinBatches: false } });
  const plan = await reader.plan({ batchSize: 2 ** 31 - 1 });
  const batches: RecordBatch[] = [];
  for (const split of plan.splits) for await (const batch of plan.read(split)) batches.push(batch);
  return batches;
}

/** Returns an endpoint that sends `bytes` and then closes. */
function endpointOf(bytes: Uint8Array): EndpointInput {
  return async function* send() {
    yield bytes;
  };
}

/** Creates the Arrow dataset that a test vector describes. Resolves to undefined if the vector has no Arrow input. */
export async function arrowDatasetOf(vector: DatasetVector): Promise<Dataset<unknown> | undefined> {
  const { ipcStreamBase64, files, endpoints, dataset } = vector;
  const options = dataset as ArrowDatasetOptions | undefined;
  if (endpoints !== undefined) {
    return new ArrowStreamDataset(
      endpoints.map((bytes) => endpointOf(bytesOf(bytes))),
      options,
    );
  }
  if (files !== undefined) return new ArrowFeatherDataset(files.map(bytesOf), options);
  if (ipcStreamBase64 === undefined) return undefined;
  return ArrowDataset.fromRecordBatches(await batchesOf(bytesOf(ipcStreamBase64)), options);
}
