import { sliceBatch } from "@tfxio/arrow-encoding";
import { firstRows } from "@tfxio/io";
import { isTfxioError } from "@tfxio/wire/errors";
import type { RecordBatch } from "apache-arrow";
import { type DeclareCommand, withExamples } from "../command.js";
import type { Host } from "../host.js";
import { openData } from "../options/open-data.js";
import { type SomeRowsOptions, withShownRows, withSources } from "../options/source-options.js";
import { showRows } from "../output/show-rows.js";

/** Batch size in bytes, except for stdin. Small, so that showing the first rows of a large file reads only a small part of it. */
const BATCH_BYTES: number = 2 ** 20;

/**
 * A batch size of one byte, which ends a batch after each non-empty row. With this size, all non-empty rows before damaged data
 * can be read, but reading is slower.
 */
const ROW_BY_ROW = 1;

/** Declares `tfxio head`. */
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
 * Yields the first rows, and stops at damaged data. If a batch contains damaged data, none of its rows can be read, so the data
 * is then read again row by row, and the rows that were already shown are skipped. Stdin cannot be read again, so it is read row
 * by row from the start. Throws the error that reports the damage, unless all requested rows precede it.
 */
async function* rowsBeforeDamage(
  sources: readonly string[],
  options: SomeRowsOptions,
  host: Host,
): AsyncGenerator<RecordBatch, void, undefined> {
  const rows = { numRows: options.limit, signal: host.signal };
  const isPiped = sources.includes("-");
  let numShown = 0;
  try {
    const tfxio = await openData(sources, options, { batchBytes: isPiped ? ROW_BY_ROW : BATCH_BYTES }, host);
    for await (const batch of firstRows(tfxio, rows)) {
      yield batch;
      numShown += batch.numRows;
    }
  } catch (error) {
    const isDamage = isTfxioError(error, "corrupt-record", "truncated-record", "malformed-payload");
    if (!isDamage || isPiped) throw error;
    const again = await openData(sources, options, { batchBytes: ROW_BY_ROW }, host);
    let numRead = 0;
    for await (const batch of firstRows(again, rows)) {
      const start = Math.min(batch.numRows, Math.max(0, numShown - numRead));
      if (start < batch.numRows) yield sliceBatch(batch, start, batch.numRows);
      numRead += batch.numRows;
    }
  }
}
