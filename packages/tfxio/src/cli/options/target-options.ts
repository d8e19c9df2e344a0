import { statSync } from "node:fs";
import type { Command } from "commander";
import { inferenceExtent } from "./inference.js";
import { byteSize, formatOption, type SourceOptions, wholeNumber } from "./source-options.js";

/** Command-line options of `convert`, `split` and `serve`, which write or serve rows. */
export interface OutputOptions extends SourceOptions {
  /** Rows from which a schema is inferred, if one is needed. */
  readonly infer: "full" | "first" | { readonly rows: number };
  readonly json?: boolean;
}

/** Command-line options of `convert` and `split`, which write rows to files. */
export interface TargetOptions extends OutputOptions {
  /** Id of the target's format. Default: determined by the target's name. */
  readonly to?: string;
  /** Options of the target's format, by name. */
  readonly targetOption?: Readonly<Record<string, unknown>>;
}

/** Options for output in several files. At most one of `shards`, `shardRows` and `shardSize` may be given. */
export interface ShardOptions {
  readonly shards?: number;
  readonly shardRows?: number;
  /** Bytes. */
  readonly shardSize?: number;
  readonly restart?: boolean;
}

/**
 * Returns true for a folder, false for a file, and undefined if the path does not exist or cannot be examined. If it cannot be
 * examined, the later attempt to create the file or folder reports the reason.
 */
export function isFolder(path: string): boolean | undefined {
  try {
    return statSync(path).isDirectory();
  } catch {
    return undefined;
  }
}

/** Adds the options of {@link OutputOptions}, except those of the sources. */
export function withOutput(command: Command): Command {
  return command
    .option(
      "--infer <rows>",
      "rows to infer a schema from if there is no --schema: full (all rows), first (the first batch) or a number",
      inferenceExtent,
      "full",
    )
    .option("--json", "print the result as JSON");
}

/** Adds the options of {@link TargetOptions}, except those of the sources. */
export function withTarget(command: Command): Command {
  return withOutput(
    command
      .option("-t, --to <id>", "format of the target; default: derived from its name")
      .addOption(
        command
          .createOption(
            "-T, --target-option <name=value>",
            "option of the target's format, such as compression=zstd; with a JSON value if needed; may be repeated",
          )
          .argParser(formatOption),
      ),
  );
}

/** Adds the options of {@link ShardOptions}. */
export function withShards(command: Command): Command {
  return command
    .addOption(
      command
        .createOption(
          "--shards <number>",
          "number of files to write; their numbers of rows differ by at most one",
        )
        .argParser(wholeNumber(1))
        .conflicts(["shardRows", "shardSize"]),
    )
    .addOption(
      command
        .createOption("--shard-rows <rows>", "number of rows per file")
        .argParser(wholeNumber(1))
        .conflicts("shardSize"),
    )
    .option("--shard-size <bytes>", "approximate size of each file, such as 256MB", byteSize)
    .option("--restart", "discard the finished shards of an interrupted run; not for a target URL");
}
