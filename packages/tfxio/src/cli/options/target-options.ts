import type { Command } from "commander";
import { inferenceExtent } from "./inference.js";
import { byteSize, formatOption, type SourceOptions, wholeNumber } from "./source-options.js";

/** Command-line options of every command that writes data. */
export interface TargetOptions extends SourceOptions {
  readonly to?: string;
  readonly targetOption: Readonly<Record<string, unknown>>;
  readonly infer: "full" | "first" | { readonly rows: number };
  readonly json?: boolean;
}

/** Size of shards. At most one of the three sizes is given. */
export interface ShardOptions {
  readonly shards?: number;
  readonly shardRows?: number;
  readonly shardSize?: number;
  readonly restart?: boolean;
}

/** Adds the format of the target, its options, and inference. */
export function withTarget(command: Command): Command {
  return command
    .option("-t, --to <id>", "format of the target; default: by its name")
    .option(
      "-T, --target-option <name=value>",
      "option of that format, such as compression=zstd; may be repeated",
      formatOption,
      {},
    )
    .option(
      "--infer <rows>",
      "without --schema, rows to infer one from: full, first (batch), or a number",
      inferenceExtent,
      "full",
    )
    .option("--json", "print what was written as one JSON object");
}

/** Adds the size of shards. */
export function withShards(command: Command): Command {
  return command
    .option("--shards <number>", "write this many files, with equal numbers of rows", wholeNumber(1))
    .option("--shard-rows <rows>", "begin another file after this many rows", wholeNumber(1))
    .option("--shard-size <bytes>", "begin another file at about this size, such as 256MB", byteSize)
    .option("--restart", "drop the finished shards of an interrupted run");
}
