import { concatBatches } from "@tfxio/arrow-encoding";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";

/**
 * The same rows in batches of exactly `batchSize`, the last one possibly smaller, or left out with `dropFinalBatch`.
 * A batch that lies within one input is a slice of it and shares its buffers; one that spans several is a copy.
 */
export async function* rebatch(
  batches: AsyncIterable<RecordBatch>,
  schema: ArrowSchema,
  batchSize: number,
  dropFinalBatch: boolean,
): AsyncGenerator<RecordBatch, void, undefined> {
  let parts: RecordBatch[] = [];
  let numRows = 0;
  for await (const batch of batches) {
    let from = 0;
    while (numRows + batch.numRows - from >= batchSize) {
      const to = from + batchSize - numRows;
      yield join([...parts, batch.slice(from, to)], schema);
      parts = [];
      numRows = 0;
      from = to;
    }
    if (from < batch.numRows) {
      parts.push(from === 0 ? batch : batch.slice(from, batch.numRows));
      numRows += batch.numRows - from;
    }
  }
  if (numRows > 0 && !dropFinalBatch) yield join(parts, schema);
}

function join(parts: readonly RecordBatch[], schema: ArrowSchema): RecordBatch {
  return parts.length === 1 ? (parts[0] as RecordBatch) : concatBatches(parts, schema);
}
