import { sliceBatch } from "@tfxio/arrow-encoding";
import type { RecordBatch } from "apache-arrow";
import { assertRowsOptions, type SomeRowsOptions } from "./some-rows-options.js";
import type { Tfxio } from "../tfxio.js";

/**
 * Yields batches of the first `numRows` rows, or of all rows if there are fewer. Stops reading after the batch that holds the
 * last returned row. A small `batchBytes` in `openTfxio` therefore limits reading to a small part of a large file.
 * @throws {ArgumentError} `invalid-argument`. Also throws whatever reading throws.
 */
export async function* firstRows(
  tfxio: Pick<Tfxio, "recordBatches">,
  options: SomeRowsOptions,
): AsyncGenerator<RecordBatch, void, undefined> {
  assertRowsOptions("firstRows", options);
  const { numRows, signal } = options;
  let rowsLeft = numRows;
  if (rowsLeft === 0) return;
  for await (const batch of tfxio.recordBatches({ signal })) {
    yield batch.numRows <= rowsLeft ? batch : sliceBatch(batch, 0, rowsLeft);
    rowsLeft -= batch.numRows;
    if (rowsLeft <= 0) return;
  }
}
