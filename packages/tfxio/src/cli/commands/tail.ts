import { lastRows } from "@tfxio/io";
import { type DeclareCommand, withExamples } from "../command.js";
import { openData } from "../options/open-data.js";
import { type SomeRowsOptions, withShownRows, withSources } from "../options/source-options.js";
import { showRows } from "../output/show-rows.js";

/** Target size in bytes of the parts of a file, if its format can divide files. `tail` begins with the last part. */
const SPLIT_BYTES: number = 4 * 2 ** 20;

/** Declares `tfxio tail`. A file that cannot be divided is read from the start. */
export const declareTail: DeclareCommand = (command, host) => {
  withExamples(
    withShownRows(withSources(command), 10),
    "tfxio tail events.parquet",
    `tfxio tail -n 5 --where 'level == "error"' 'logs-*.jsonl'`,
  ).action(async (sources: readonly string[], options: SomeRowsOptions) => {
    const tfxio = await openData(sources, options, { splitBytes: SPLIT_BYTES }, host);
    await showRows(lastRows(tfxio, { numRows: options.limit, signal: host.signal }), options, host);
  });
};
