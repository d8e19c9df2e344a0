import { type DeclareCommand, withExamples } from "../command.js";
import { openData } from "../options/open-data.js";
import { type SourceOptions, withJson, withSources } from "../options/source-options.js";
import { createProgress } from "../output/progress.js";

/** Options of `tfxio count`. */
interface CountOptions extends SourceOptions {
  readonly json?: boolean;
}

/** Declares `tfxio count`. Reads no rows if the files store their row counts and there is no `--where`. */
export const declareCount: DeclareCommand = (command, host) => {
  withExamples(
    withJson(withSources(command), "one object, { numRows },"),
    "tfxio count 'train-*.tfrecord.gz'",
    "tfxio count --where 'label == 1' data.parquet",
  ).action(async (sources: readonly string[], options: CountOptions) => {
    const tfxio = await openData(sources, options, {}, host);
    const progress = await createProgress("counting", host, sources);
    try {
      const numRows = await tfxio.countRows({ signal: host.signal, onProgress: progress.update });
      progress.end();
      await host.stdout.write(`${options.json === true ? JSON.stringify({ numRows }) : numRows}\n`);
    } finally {
      progress.end();
    }
  });
};
