import { firstRows } from "@tfxio/io";
import { type DeclareCommand, withExamples } from "../command.js";
import { openData } from "../options/open-data.js";
import { type SomeRowsOptions, withShownRows, withSources } from "../options/source-options.js";
import { showRows } from "../output/show-rows.js";

/** Bytes of a batch: of a large file, no more is read than what a few rows take. */
const BATCH_BYTES: number = 2 ** 20;
/** Up to so many rows are read one by one, at 0.1 to 1 ms each, so that damage hides none of the rows before it. */
const MAX_SINGLE_ROWS = 1000;

export const declareHead: DeclareCommand = (command, host) => {
  withExamples(
    withShownRows(withSources(command), 10),
    "tfxio head 'train-*.tfrecord.gz'",
    "tfxio head -n 3 -c age,city people.csv",
    "cat events.jsonl | tfxio head --format jsonl --json -",
  ).action(async (sources: readonly string[], options: SomeRowsOptions) => {
    // A batch ends once it has these bytes, and each row has one.
    const batchBytes = options.limit <= MAX_SINGLE_ROWS ? 1 : BATCH_BYTES;
    const tfxio = await openData(sources, options, { batchBytes }, host);
    await showRows(firstRows(tfxio, { numRows: options.limit, signal: host.signal }), options, host);
  });
};
