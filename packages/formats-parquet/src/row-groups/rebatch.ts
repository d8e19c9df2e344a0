import { concatBatches, recordBatchOf, sliceBatch } from "@tfxio/arrow-encoding";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import { withCommonDictionaries } from "./common-dictionaries.js";

/** Batches of `batchSize` rows, the last one perhaps shorter. Most are slices; one that spans two parts is copied. */
export async function* rebatched(
  parts: AsyncIterable<RecordBatch>,
  batchSize: number,
): AsyncGenerator<RecordBatch, void, undefined> {
  let waiting: RecordBatch[] = [];
  let numWaiting = 0;
  for await (const part of parts) {
    let at = 0;
    while (at < part.numRows) {
      const end = Math.min(part.numRows, at + batchSize - numWaiting);
      waiting.push(at === 0 && end === part.numRows ? part : sliceBatch(part, at, end));
      numWaiting += end - at;
      at = end;
      if (numWaiting < batchSize) continue;
      yield joined(waiting);
      [waiting, numWaiting] = [[], 0];
    }
  }
  if (numWaiting > 0) yield joined(waiting);
}

function joined(batches: readonly RecordBatch[]): RecordBatch {
  const [first] = batches as readonly [RecordBatch];
  if (batches.length === 1) return first;
  const schema: ArrowSchema = first.schema;
  if (schema.fields.length === 0) {
    const numRows = batches.reduce((sum, batch) => sum + batch.numRows, 0);
    return recordBatchOf(schema, numRows, []);
  }
  return concatBatches(withCommonDictionaries(batches), schema);
}
