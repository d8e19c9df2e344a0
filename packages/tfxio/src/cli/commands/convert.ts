import path from "node:path";
import {
  assertTargetApart,
  firstRows,
  type Tfxio,
  writeShards,
  type WriteSummary,
  writeTfxio,
} from "@tfxio/io";
import { ArgumentError } from "@tfxio/wire/errors";
import { type DeclareCommand, withExamples } from "../command.js";
import { wrongUse } from "../errors/wrong-use.js";
import type { Host } from "../host.js";
import { openForWriting } from "../options/open-for-writing.js";
import { wholeNumber, withSources } from "../options/source-options.js";
import { isUrl, loadStores } from "../options/stores.js";
import {
  isFolder,
  type ShardOptions,
  type TargetOptions,
  withShards,
  withTarget,
} from "../options/target-options.js";
import { createProgress, type Progress } from "../output/progress.js";
import { writtenText } from "../output/written-text.js";

/** Options of `tfxio convert`. */
interface ConvertOptions extends TargetOptions, ShardOptions {
  readonly limit?: number;
}

/** Declares `tfxio convert`. The last argument is the target, and all arguments before it are sources. */
export const declareConvert: DeclareCommand = (command, host) => {
  withExamples(
    withShards(withTarget(withSources(command))).option(
      "-n, --limit <rows>",
      "rows to write; default: all",
      wholeNumber(0),
    ),
    "tfxio convert people.csv people.parquet",
    "tfxio convert 'train-*.tfrecord.gz' train.parquet --shard-size 256MB",
    `tfxio convert logs.jsonl errors.tfrecord.gz --where 'level == "error"' -c time,message`,
  )
    // In Commander, only the last argument can be variadic.
    .usage("[options] <sources...> <target>")
    .addHelpText(
      "after",
      "\nThe target is a path or URL. Its extension selects the format, unless --to names one.",
    )
    .action(async (words: readonly string[], options: ConvertOptions) => {
      const target = words.at(-1) as string;
      if (words.length < 2)
        throw wrongUse(`tfxio convert requires sources and a target, found only ${target}.`);
      await convert(words.slice(0, -1), target, options, host);
    });
};

/** Converts `sources` to `target` and prints a summary. Shows progress on stderr. */
async function convert(
  sources: readonly string[],
  target: string,
  options: ConvertOptions,
  host: Host,
): Promise<void> {
  if (!isSharded(options)) assertNotFolder(target);
  const opening = await createProgress("examining the columns", host);
  const tfxio = await openForWriting(sources, target, options, host).finally(() => opening.end());
  const progress = await createProgress("converting", host, sources);
  const start = performance.now();
  try {
    const summary = await write(tfxio, target, options, {
      sources,
      signal: host.signal,
      progress,
    });
    progress.end();
    const milliseconds = performance.now() - start;
    await host.stdout.write(writtenText(summary, { isJson: options.json === true, milliseconds }));
  } finally {
    progress.end();
  }
}

function isSharded({ shards, shardRows, shardSize }: ShardOptions): boolean {
  return (shards ?? shardRows ?? shardSize) !== undefined;
}

/** Checks that the target is not a folder. Not needed for shards, because their file names differ from the target. */
function assertNotFolder(target: string): void {
  if (isUrl(target)) return;
  if (!target.endsWith("/") && isFolder(target) !== true) return;
  const file = path.join(target, "data.tfrecord");
  throw new ArgumentError(
    "invalid-argument",
    `The target must be a file, such as ${file}, not the folder ${target}.`,
    {
      argument: "target",
      reason: "directory",
    },
  );
}

/** Limits a TFXIO to the rows to write. Reading the rows reports progress. */
function rowsToWrite(tfxio: Tfxio, { limit }: ConvertOptions, { update }: Progress): Tfxio {
  const recordBatches: Tfxio["recordBatches"] = (reading) =>
    tfxio.recordBatches({ ...reading, onProgress: update });
  if (limit === undefined) return { ...tfxio, recordBatches };
  return {
    ...tfxio,
    recordBatches: (reading) => firstRows({ recordBatches }, { numRows: limit, signal: reading?.signal }),
  };
}

/** Context of a write, in addition to its options. */
interface WriteContext {
  readonly sources: readonly string[];
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

/** Writes one file, or several shards. Writing shards may resume an interrupted run. */
async function write(
  tfxio: Tfxio,
  target: string,
  options: ConvertOptions,
  { sources, signal, progress }: WriteContext,
): Promise<WriteSummary & { readonly numResumed?: number }> {
  const { to, targetOption, shards, shardRows, shardSize, restart, limit } = options;
  const writing = { format: to, formatOptions: targetOption, signal };
  const stores = await loadStores(options.store);
  await assertTargetApart(tfxio, target, { isSharded: isSharded(options), stores });
  // Shards can be resumed only if they are files, and if all rows of the source files are read. All other output is written in
  // one run.
  const isOneRun = sources.includes("-") || limit !== undefined || isUrl(target);
  if (restart === true && (isOneRun || !isSharded(options))) {
    throw wrongUse(
      "--restart requires --shards, --shard-rows or --shard-size, and cannot be combined with --limit, stdin or a target URL.",
    );
  }
  if (isOneRun) {
    if (shardRows !== undefined)
      throw wrongUse("--shard-rows cannot be combined with --limit, stdin or a target URL.");
    return writeTfxio(rowsToWrite(tfxio, options, progress), target, {
      ...writing,
      stores,
      numShards: shards,
      shardBytes: shardSize,
    });
  }
  if (!isSharded(options)) return writeTfxio(rowsToWrite(tfxio, options, progress), target, writing);
  return writeShards(tfxio, target, {
    ...writing,
    numShards: shards,
    shardRows,
    shardBytes: shardSize,
    restart,
    onProgress: progress.update,
  });
}
