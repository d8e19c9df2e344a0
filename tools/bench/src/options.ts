import path from "node:path";
import { parseArgs } from "node:util";
import { ArgumentError } from "@tfxio/wire";
import type { BenchOptions } from "./measurement.js";
import { recordedFile } from "./report/recorded-runs.js";

/** The parsed command line. */
export interface CommandLine {
  /** Measurement files to write a report from; if empty, the recorded ones are used. Undefined if the command is not `report`. */
  readonly report: readonly string[] | undefined;
  /** True to run every bench, replace the recorded measurements, and write the report from the new ones. */
  readonly record: boolean;
  /** Absolute path of the folder for the report. */
  readonly docsFolder: string;
  /** Names of the benches to run; empty for all. */
  readonly benches: readonly string[];
  /** Absolute path of the file for the measurements; undefined if they are not saved. */
  readonly json: string | undefined;
  readonly help: boolean;
  readonly options: Omit<BenchOptions, "python">;
}

/** The first part of the text that `--help` prints. One line for each bench follows it. */
export const usage = `pnpm bench [OPTIONS] [NAME…]
pnpm bench record          run all benches, save the measurements in docs/benchmarks/run.json, and write docs/benchmarks.md
pnpm bench report [FILE…]  write docs/benchmarks.md and its plots from --json files (default: the recorded measurements)

  --json FILE      write [{ bench, set, subject, unit, median, runs }] to FILE, and machine and versions to a .meta.json file
  --sets A,B       run only these sets
  --subjects A,B   run only these subjects
  --mb N           size of a generated set in MB (default 64; 360 for the sets wide and wide_tail of decode, 2000 for memory)
  --sample-mb N    size in MB of the input for slow peers, and of all input for encode, proto and struct2tensor (default 16)
  --rounds N       number of runs of each subject (default 5)
  --seconds N      minimum seconds of each run of proto and of dataset pipelines; shorter passes are repeated (default 2)

Most benches also run Python packages, such as tfx_bsl, TensorFlow, pyarrow, DuckDB and polars. They run in the Python that
TFXIO_BENCH_PYTHON names (for beam, TFXIO_BENCH_BEAM_PYTHON). If it is not set, the first run installs them into the cache of
pnpm interop; tfx_bsl, struct2tensor and Beam need python3.11. webgpu loads its npm packages from the folder that
TFXIO_BENCH_WEBGPU names. Install them there with \`npm install webgpu @tensorflow/tfjs-core @tensorflow/tfjs-backend-webgpu\`.

NAME is one of these benches; without a NAME, all of them run:`;

/**
 * Parses the command line. Relative paths are resolved against the folder in which the user called the command.
 * @throws {ArgumentError} `invalid-argument` for an unknown option, a number that is not positive, or `record` together with a
 * name or `--json`.
 */
export function parseCommandLine(args: readonly string[], environment: NodeJS.ProcessEnv): CommandLine {
  const { values, positionals } = parse(args);
  const positive = (name: string, text: string): number => {
    const value = Number(text);
    if (value > 0 && Number.isFinite(value)) return value;
    throw new ArgumentError("invalid-argument", `--${name}: found "${text}", expected a positive number`, {
      argument: name,
    });
  };
  const invokedFrom = environment.TFXIO_INVOKED_FROM ?? process.cwd();
  const isReport = positionals[0] === "report";
  const record = positionals[0] === "record";
  if (record && (positionals.length > 1 || values.json !== undefined)) {
    throw new ArgumentError(
      "invalid-argument",
      "record: expected no NAME and no --json; it runs every bench and chooses the file itself",
      {
        argument: "NAME",
      },
    );
  }
  const docsFolder = path.resolve(invokedFrom, values.docs);
  const json = values.json === undefined ? undefined : path.resolve(invokedFrom, values.json);
  return {
    report: isReport ? positionals.slice(1).map((file) => path.resolve(invokedFrom, file)) : undefined,
    record,
    docsFolder,
    benches: isReport || record ? [] : positionals,
    json: record ? recordedFile(docsFolder) : json,
    help: values.help,
    options: {
      sets: values.sets?.split(","),
      subjects: values.subjects?.split(","),
      setBytes: Math.round(positive("mb", values.mb ?? "64") * 1e6),
      longSetBytes: Math.round(positive("mb", values.mb ?? "360") * 1e6),
      streamedBytes: Math.round(positive("mb", values.mb ?? "2000") * 1e6),
      sampleBytes: Math.round(positive("sample-mb", values["sample-mb"]) * 1e6),
      rounds: Math.ceil(positive("rounds", values.rounds)),
      leastSeconds: positive("seconds", values.seconds),
      cacheFolder: path.resolve(invokedFrom, values.cache),
      webgpuFolder: environment.TFXIO_BENCH_WEBGPU,
    },
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        json: { type: "string" },
        sets: { type: "string" },
        subjects: { type: "string" },
        mb: { type: "string" },
        "sample-mb": { type: "string", default: "16" },
        rounds: { type: "string", default: "5" },
        seconds: { type: "string", default: "2" },
        cache: { type: "string", default: path.join(import.meta.dirname, "..", ".cache") },
        docs: { type: "string", default: path.join(import.meta.dirname, "../../../docs") },
        help: { type: "boolean", default: false },
      },
    });
  } catch (cause) {
    // parseArgs throws a TypeError that names the bad option.
    throw new ArgumentError("invalid-argument", (cause as Error).message, { cause });
  }
}
