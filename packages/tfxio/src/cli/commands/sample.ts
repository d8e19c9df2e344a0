import { sampleRows } from "@tfxio/io";
import { type DeclareCommand, withExamples } from "../command.js";
import { openData } from "../options/open-data.js";
import { type SomeRowsOptions, wholeNumber, withShownRows, withSources } from "../options/source-options.js";
import { showRows } from "../output/show-rows.js";

/** Options of `tfxio sample`. */
interface SampleOptions extends SomeRowsOptions {
  readonly seed: number;
}

/** Declares `tfxio sample`. It reads all rows once. Memory grows with the number of rows drawn, not with the total. */
export const declareSample: DeclareCommand = (command, host) => {
  withExamples(
    withShownRows(withSources(command), 10).option(
      "--seed <number>",
      "seed of the draw; the same seed draws the same rows",
      wholeNumber(0),
      0,
    ),
    "tfxio sample -n 20 'train-*.tfrecord'",
    "tfxio sample --seed 7 --json people.csv",
  ).action(async (sources: readonly string[], options: SampleOptions) => {
    const tfxio = await openData(sources, options, {}, host);
    const { limit, seed } = options;
    await showRows(sampleRows(tfxio, { numRows: limit, seed, signal: host.signal }), options, host);
  });
};
