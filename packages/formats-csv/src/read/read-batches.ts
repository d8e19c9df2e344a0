import type { ReadOptions } from "@tfxio/format";
import type { ByteSource } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";
import type { CsvKernel } from "../kernels/csv-kernel.js";
import { BatchInMaking } from "./batch-in-making.js";
import type { CsvPlan } from "./csv-plan.js";
import { layOutFile } from "./file-layout.js";
import type { CsvHeader } from "./header.js";
import { feedTable, type FilePart } from "./table-feed.js";

export interface BatchReading {
  readonly source: ByteSource;
  readonly header: CsvHeader;
  readonly part: FilePart;
  readonly plan: CsvPlan;
  readonly kernel: CsvKernel;
}

/**
 * Yields the batches of a part of a file. The `detail` of a reported position is the offset in the uncompressed file at which a
 * later read continues.
 */
export async function* readBatches(
  { source, header, part, plan, kernel }: BatchReading,
  { from, signal, onProgress }: Pick<ReadOptions, "from" | "signal" | "onProgress">,
): AsyncGenerator<RecordBatch, void, undefined> {
  const layout = layOutFile(plan, header, source.uri);
  const batch = new BatchInMaking(plan, layout);
  const sought = typeof from?.detail === "number" ? from.detail : undefined;
  const isSought = sought !== undefined;
  const numToPass = from?.row ?? 0;
  const start = sought ?? part.start;
  const firstRecord =
    part.firstRecord === undefined || !isSought ? part.firstRecord : part.firstRecord + numToPass;
  let [row, numRows, numSkipped, numReported] = [numToPass, 0, 0, 0];
  let position = start;

  const report = (): void => {
    numReported = numSkipped;
    onProgress?.({ position: { row, detail: position }, numRows, numBytes: position - start, numSkipped });
  };
  const batches = feedTable<RecordBatch>(
    {
      source,
      part: { ...part, start, firstRecord },
      options: plan.options,
      kernel,
      table: layout.table,
      numToPass: isSought ? 0 : numToPass,
      signal,
    },
    () => batch.limits,
    (pushed, table, isEnd) => {
      const numDropped = batch.add(pushed, table);
      row += pushed.numRecords;
      numSkipped += pushed.numSkipped + numDropped;
      position = pushed.inputStart + pushed.consumed;
      if (!pushed.isFull && !isEnd) return undefined;
      // The limits were reached before some rows were dropped, so the batch has room for more rows.
      if (pushed.isFull && numDropped > 0 && batch.numRows < plan.batchSize && !isEnd) return undefined;
      if (batch.numRows === 0) {
        batch.clear(table);
        return undefined;
      }
      numRows += batch.numRows;
      return batch.finish(table);
    },
  );
  for await (const made of batches) {
    report();
    yield made;
  }
  if (numSkipped > numReported) report();
}
