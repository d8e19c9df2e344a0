import type { RecordBatch } from "apache-arrow";
import { encodeBatch } from "../coders/batch-bytes.js";

/** Encodes each record batch as an Arrow IPC stream, which other languages can read. */
export class EncodeBatches {
  *process(batch: RecordBatch): Generator<Uint8Array, void, undefined> {
    yield encodeBatch(batch);
  }
}
