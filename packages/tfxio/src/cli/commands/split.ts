import path from "node:path";
import { assertTargetApart, type Tfxio, writeTfxio } from "@tfxio/io";
import { createFolder } from "@tfxio/wire";
import { type DeclareCommand, withExamples } from "../command.js";
import { wrongUse } from "../errors/wrong-use.js";
import type { Host } from "../host.js";
import { openForWriting } from "../options/open-for-writing.js";
import { assertNoStdin, share, wholeNumber, withSources } from "../options/source-options.js";
import { isFolder, type TargetOptions, withTarget } from "../options/target-options.js";
import { isUrl, loadStores } from "../options/stores.js";
import { createProgress } from "../output/progress.js";
import { writtenText } from "../output/written-text.js";

/** Options of `tfxio split`. */
interface SplitCommandOptions extends TargetOptions {
  readonly out: string;
  readonly as: string;
  /** Fraction of the rows, above 0 and below 1. `test` has the same range. */
  readonly validation: number;
  readonly test?: number;
  readonly seed: number;
  readonly by?: string;
  readonly shards?: number;
}

/** Declares `tfxio split`. It writes the files `train`, `validation` and, with `--test`, `test`. */
export const declareSplit: DeclareCommand = (command, host) => {
  withExamples(
    withTarget(withSources(command, "stdin"))
      .option("-o, --out <folder>", "output folder; created if it does not exist", ".")
      .option("--as <ending>", "file extension, which determines the format", "tfrecord.gz")
      .option("--validation <share>", "share of the rows for validation", share, 0.1)
      .option("--test <share>", "share of the rows for a test set; default: none", share)
      .option(
        "--seed <number>",
        "seed of the assignment; with the same seed, each row goes to the same set",
        wholeNumber(0),
        0,
      )
      .option("--by <column>", "keep rows with equal values in this column together")
      .option("--shards <number>", "number of files per set", wholeNumber(1)),
    "tfxio split people.csv --out sets --as parquet",
    "tfxio split 'clicks-*.tfrecord' --out sets --validation 10% --test 10% --by user_id",
  ).action(async (sources: readonly string[], options: SplitCommandOptions) => {
    assertNoStdin("split", sources);
    await splitSources(sources, options, host);
  });
};

/**
 * Writes the sets one after the other. The sources are read once for each set. If a schema must be inferred, a separate pass
 * does that first.
 */
async function splitSources(
  sources: readonly string[],
  options: SplitCommandOptions,
  host: Host,
): Promise<void> {
  const { validation, test, seed, by, out, as: ending } = options;
  assertFolder(out);
  const nameOf = (name: string): string => placeIn(out, `${name}.${ending.replace(/^\./, "")}`);
  const tfxio = await openForWriting(sources, nameOf("train"), options, host);
  const shares = { validation, seed, by };
  const parts = test === undefined ? { ...tfxio.split(shares) } : { ...tfxio.split({ ...shares, test }) };
  const stores = await loadStores(options.store);
  const isSharded = options.shards !== undefined;
  for (const name of Object.keys(parts)) await assertTargetApart(tfxio, nameOf(name), { isSharded, stores });
  if (!isUrl(out)) await createFolder(out);
  for (const [name, part] of Object.entries<Tfxio>(parts)) {
    const progress = await createProgress(name, host);
    const start = performance.now();
    try {
      const summary = await writeTfxio(part, nameOf(name), {
        format: options.to,
        formatOptions: options.targetOption,
        numShards: options.shards,
        signal: host.signal,
        stores,
        onProgress: progress.update,
      });
      progress.end();
      await host.stdout.write(
        writtenText(summary, { isJson: options.json === true, milliseconds: performance.now() - start }),
      );
    } finally {
      progress.end();
    }
  }
}

/** Checks that `--out` is not an existing file. */
function assertFolder(out: string): void {
  if (isUrl(out) || isFolder(out) !== false) return;
  throw wrongUse(`--out must be a folder, found the file ${out}.`);
}

/** Returns the path or URL of a file in a folder. */
function placeIn(folder: string, name: string): string {
  if (!isUrl(folder)) return path.join(folder, name);
  return folder.endsWith("/") ? `${folder}${name}` : `${folder}/${name}`;
}
