import path from "node:path";
import { parseArgs } from "node:util";
import { ArgumentError } from "@tfxio/wire";
import type { BenchOptions } from "./measurement.js";
import { recordedFile } from "./report/recorded-runs.js";

/** The parsed command line. */
export interface CommandLine {
  /** Files to make a report of, instead of measuring. */
  readonly report: readonly string[] | undefined;
  /** Whether every bench runs, and its measurements replace the recorded ones, of which the report is made then. */
  readonly record: boolean;
  /** Where the report goes. */
  readonly docsFolder: string;
  readonly benches: readonly string[];
  readonly json: string | undefined;
  readonly help: boolean;
  readonly options: Omit<BenchOptions, "python">;
}

/** The words that `--help` prints. */
export const usage = `pnpm bench [OPTIONS] [NAME…]
pnpm bench record          run all, keep the measurements in docs/benchmarks/run.json, and write docs/benchmarks.md
pnpm bench report [FILE…]  write docs/benchmarks.md, with plots, from files of --json; default: from the recorded ones

  --json FILE      write [{ bench, set, subject, unit, median, runs }] to FILE, machine and versions beside it
  --sets A,B       only these sets
  --subjects A,B   only these subjects
  --mb N           size of a generated set in MB (default 64; 360 for wide of decode, 2000 for memory)
  --sample-mb N    how much of it the JavaScript peers decode (default 16)
  --rounds N       runs of each subject, in rotated order (default 5)

tfx_bsl, TensorFlow and pyarrow join decode, encode and convert; pyarrow, DuckDB and polars join csv, jsonl and arrow. They
run in the Python of TFXIO_BENCH_PYTHON, else in our own, into which the first run installs them: tfx_bsl where there is a
python3.11. webgpu takes its npm packages from TFXIO_BENCH_WEBGPU, a folder
in which \`npm install webgpu @tensorflow/tfjs-core @tensorflow/tfjs-backend-webgpu\` has run.

NAME is any of these; without one, all run:`;

/** @throws {ArgumentError} `invalid-argument` for an unknown option, or a value that is no positive number. */
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
      "record: expected neither NAME nor --json, which it decides itself",
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
        cache: { type: "string", default: path.join(import.meta.dirname, "..", ".cache") },
        docs: { type: "string", default: path.join(import.meta.dirname, "../../../docs") },
        help: { type: "boolean", default: false },
      },
    });
  } catch (cause) {
    // parseArgs throws a TypeError that names a bad option.
    throw new ArgumentError("invalid-argument", (cause as Error).message, { cause });
  }
}
