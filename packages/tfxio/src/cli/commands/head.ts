import { firstRows } from "@tfxio/io";
import { type DeclareCommand, withExamples } from "../command.js";
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
    const tfxio = await openData(sources, options, { batchBytes: BATCH_BYTES }, host);
    await showRows(firstRows(tfxio, { numRows: options.limit, signal: host.signal }), options, host);
  });
};
