import { openTfxio, type TfxioOptions } from "@tfxio/io";
import { decodeMessage, SchemaSchema } from "@tfxio/schema";
import type { RecordBatch } from "apache-arrow";

/**
 * A file to stream, and the options to open it. The request must be plain JSON, because the child process gets it as an
 * argument.
 */
export interface StreamRequest {
  readonly file: string;
  /** Serialized TFMD schema in base64. Absent for messages, whose type is in `options`. */
  readonly schema?: string;
  readonly options: Pick<TfxioOptions, "format" | "formatOptions" | "float64">;
  /** True to lease each batch and release it immediately; false for batches that own their memory. */
  readonly isLeased: boolean;
}

/** Reads a file batch by batch on the calling thread, and keeps no batch. */
export async function streamBatches(
  request: StreamRequest,
): Promise<{ readonly numRows: number; readonly largestBatchBytes: number }> {
  const { file, schema, options } = request;
  const decoded = schema && decodeMessage(SchemaSchema, Buffer.from(schema, "base64"));
  const tfxio = await openTfxio(file, decoded ? { ...options, schema: decoded } : options);
  let numRows = 0;
  let largestBatchBytes = 0;
  const look = (batch: RecordBatch): void => {
    numRows += batch.numRows;
    largestBatchBytes = Math.max(largestBatchBytes, batch.data.byteLength);
  };
  if (request.isLeased) {
    for await (const lease of tfxio.leasedBatches({ workers: 0 })) {
      look(lease.batch);
      lease.release();
    }
  } else {
    for await (const batch of tfxio.recordBatches({ workers: 0 })) look(batch);
  }
  return { numRows, largestBatchBytes };
}
