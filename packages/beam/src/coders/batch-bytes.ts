import { RecordError } from "@tfxio/wire";
import { assertArgument, aUint8Array, rule } from "@tfxio/wire/checks";
import { RecordBatch, RecordBatchReader, Table, tableToIPC } from "apache-arrow";

const aRecordBatch = rule("a RecordBatch", (value) => value instanceof RecordBatch);

/**
 * Encodes one record batch as an Arrow IPC stream. Workers in all languages exchange batches in this form. Python reads it
 * with `pyarrow.ipc.open_stream`. The bytes are a copy.
 * @throws {ArgumentError} `invalid-argument` unless `batch` is a RecordBatch.
 * @see Arrow columnar format, "IPC Streaming Format"
 */
export function encodeBatch(batch: RecordBatch): Uint8Array {
  assertArgument("batch", batch, aRecordBatch);
  return tableToIPC(new Table(batch.schema, batch), "stream");
}

/**
 * Decodes an Arrow IPC stream with exactly one record batch. Copies the bytes, because an engine may reuse their buffer and
 * rarely aligns it to 8 bytes.
 * @throws {RecordError} `malformed-payload` (`batch-bytes`) for bytes that are not such a stream.
 * @throws {ArgumentError} `invalid-argument` unless `bytes` is a Uint8Array.
 */
export function decodeBatch(bytes: Uint8Array): RecordBatch {
  assertArgument("bytes", bytes, aUint8Array);
  let batches: RecordBatch[];
  try {
    const reader = RecordBatchReader.from(bytes.slice());
    batches = [...reader];
  } catch (cause) {
    throw malformed(cause instanceof Error ? cause.message : String(cause), cause);
  }
  const [batch] = batches;
  if (batch === undefined || batches.length > 1) throw malformed(`found ${batches.length} batches`);
  return batch;
}

function malformed(problem: string, cause?: unknown): RecordError {
  return new RecordError(
    "malformed-payload",
    `The bytes must be an Arrow IPC stream of exactly one record batch: ${problem}.`,
    {
      reason: "batch-bytes",
      cause,
    },
  );
}
