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

/** Shard options. At most one of the three sizes may be given. */
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
      "rows to infer a schema from if there is no --schema: full, first (batch), or a number",
      inferenceExtent,
      "full",
    )
    .option("--json", "print a summary of the written files as one JSON object");
}

/** Adds the shard options. */
export function withShards(command: Command): Command {
  return command
    .option("--shards <number>", "write this many files, with equal numbers of rows", wholeNumber(1))
    .option("--shard-rows <rows>", "start a new file after this many rows", wholeNumber(1))
    .option("--shard-size <bytes>", "start a new file at about this size, such as 256MB", byteSize)
    .option("--restart", "discard the finished shards of an interrupted run");
}
