import { sliceBatch } from "@tfxio/arrow-encoding";
import { firstRows } from "@tfxio/io";
import { isTfxioError } from "@tfxio/wire/errors";
import type { RecordBatch } from "apache-arrow";
import { type DeclareCommand, withExamples } from "../command.js";
import type { Host } from "../host.js";
import { openData } from "../options/open-data.js";
import { type SomeRowsOptions, withShownRows, withSources } from "../options/source-options.js";
import { showRows } from "../output/show-rows.js";

/** Bytes of a batch: of a large file, no more is read than what a few rows take. */
const BATCH_BYTES: number = 2 ** 20;

export const declareHead: DeclareCommand = (command, host) => {
  withExamples(
    withShownRows(withSources(command), 10),
    "tfxio head 'train-*.tfrecord.gz'",
    "tfxio head -n 3 -c age,city people.csv",
    "cat events.jsonl | tfxio head --format jsonl --json -",
  ).action(async (sources: readonly string[], options: SomeRowsOptions) => {
    await showRows(rowsBeforeDamage(sources, options, host), options, host);
  });
};

/**
 * The first rows. A batch with damage in it is lost as a whole, so its rows are read again one by one, up to the damage. What is
 * piped in cannot be read again.
 */
async function* rowsBeforeDamage(
  sources: readonly string[],
  options: SomeRowsOptions,
  host: Host,
): AsyncGenerator<RecordBatch, void, undefined> {
  const rows = { numRows: options.limit, signal: host.signal };
  let numShown = 0;
  try {
    const tfxio = await openData(sources, options, { batchBytes: BATCH_BYTES }, host);
    for await (const batch of firstRows(tfxio, rows)) {
      yield batch;
      numShown += batch.numRows;
    }
  } catch (error) {
    const isDamage = isTfxioError(error, "corrupt-record", "truncated-record", "malformed-payload");
    if (!isDamage || sources.includes("-")) throw error;
    // A batch ends once it has these bytes, and each row has one.
    const again = await openData(sources, options, { batchBytes: 1 }, host);
    let numRead = 0;
    for await (const batch of firstRows(again, rows)) {
      const start = Math.min(batch.numRows, Math.max(0, numShown - numRead));
      if (start < batch.numRows) yield sliceBatch(batch, start, batch.numRows);
      numRead += batch.numRows;
    }
  }
}
