import { concatBatches, recordBatchOf, sliceBatch } from "@tfxio/arrow-encoding";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import { withCommonDictionaries } from "./common-dictionaries.js";

/**
 * Yields batches of `batchSize` rows; the last one may be shorter. Batches are copies, so keeping one keeps no other rows in
 * memory. Only dictionaries are borrowed.
 * @param parts Each part is copied before the next one is requested. After that, the part's memory may be reused.
 */
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
      const rows = copied([at === 0 && end === part.numRows ? part : sliceBatch(part, at, end)]);
      waiting.push(rows);
      numWaiting += end - at;
      at = end;
      if (numWaiting < batchSize) continue;
      yield waiting.length === 1 ? rows : copied(waiting);
      [waiting, numWaiting] = [[], 0];
    }
  }
  const [first] = waiting;
  if (first !== undefined) yield waiting.length === 1 ? first : copied(waiting);
}

/** Copies the rows of the batches into one batch. */
function copied(batches: readonly RecordBatch[]): RecordBatch {
  const [first] = batches as readonly [RecordBatch];
  const schema: ArrowSchema = first.schema;
  if (schema.fields.length === 0) {
    const numRows = batches.reduce((sum, batch) => sum + batch.numRows, 0);
    return recordBatchOf(schema, numRows, []);
  }
  return concatBatches(withCommonDictionaries(batches), schema);
}
