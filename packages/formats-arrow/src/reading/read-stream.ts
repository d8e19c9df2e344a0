import type { ReadOptions } from "@tfxio/format";
import type { RecordBatch } from "apache-arrow";
import type { OpenedStream } from "../containers/ipc-stream.js";
import { dictionaryIds } from "../metadata/stored-column.js";
import { decodeBatch, type ReadContext } from "./decode-batch.js";
import { rebatched, type StoredRows } from "./rebatch.js";

/** The batches of a stream, from a position on. */
export function readStream(
  stream: OpenedStream,
  context: Omit<ReadContext, "schema">,
  { from, onProgress }: ReadOptions,
): AsyncGenerator<RecordBatch, void, undefined> {
  const firstRow = from?.row ?? 0;
  const { joinBatches, request } = context;
  const settings = { batchSize: request.batchSize, firstRow, joinBatches, onProgress };
  return rebatched(storedRows(stream, context, firstRow), settings);
}

async function* storedRows(
  { schema, batches }: OpenedStream,
  context: Omit<ReadContext, "schema">,
  first: number,
): AsyncGenerator<StoredRows, void, undefined> {
  const needed = new Set(context.selection.columns.flatMap((column) => [...dictionaryIds(column, schema)]));
  let row = 0;
  for await (const stored of batches((id) => needed.has(id))) {
    const { numRows } = stored.header;
    const from = Math.max(0, first - row);
    if (from < numRows) {
      const batch = await decodeBatch(stored, { ...context, schema }, { from, firstRow: row });
      yield { batch, numBytes: stored.numBytes, row };
    }
    row += numRows;
  }
}
