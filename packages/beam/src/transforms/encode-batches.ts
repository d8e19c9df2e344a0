import type { RecordBatch } from "apache-arrow";
import { encodeBatch } from "../coders/batch-bytes.js";

/** Makes of each record batch the bytes of an Arrow IPC stream, which other languages read. */
export class EncodeBatches {
  *process(batch: RecordBatch): Generator<Uint8Array, void, undefined> {
    yield encodeBatch(batch);
  }
}
