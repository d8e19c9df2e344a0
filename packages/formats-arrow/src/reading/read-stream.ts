import type { ReadOptions } from "@tfxio/format";
import { type HandedOver, handedOver } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";
import type { OpenedStream } from "../containers/ipc-stream.js";
import { dictionaryIds } from "../metadata/stored-column.js";
import { decodeBatch, type ReadContext } from "./decode-batch.js";
import { rebatched, type StoredRows } from "./rebatch.js";

/** Reads the batches of a stream, starting at the requested position. */
export function readStream(
  stream: OpenedStream,
  context: Omit<ReadContext, "schema">,
  { from, onProgress }: ReadOptions,
): HandedOver<RecordBatch> {
  const firstRow = from?.row ?? 0;
  const { joinBatches, request } = context;
  const settings = { batchSize: request.batchSize, firstRow, joinBatches, onProgress };
  return rebatched(storedRows(stream, context, firstRow), settings);
}

function storedRows(
  { schema, batches }: OpenedStream,
  context: Omit<ReadContext, "schema">,
  first: number,
): HandedOver<StoredRows> {
  const needed = new Set(context.selection.columns.flatMap((column) => [...dictionaryIds(column, schema)]));
  const stream = batches((id) => needed.has(id))[Symbol.asyncIterator]();
  let nextRow = 0;
  return handedOver(
    async () => {
      for (;;) {
        const { value: stored, done } = await stream.next();
        if (done === true) return undefined;
        const row = nextRow;
        nextRow += stored.header.numRows;
        const from = Math.max(0, first - row);
        if (nextRow <= first || nextRow === row) continue;
        const batch = await decodeBatch(stored, { ...context, schema }, { from, firstRow: row });
        return { batch, numBytes: stored.numBytes, row };
      }
    },
    async () => void (await stream.return?.()),
  );
}
