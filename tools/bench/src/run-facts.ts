import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { arch, availableParallelism, cpus, loadavg, platform, totalmem } from "node:os";
import path from "node:path";

/** Machine, time, command, versions and notes of a run. `--json FILE.json` writes them to `FILE.meta.json`. */
export interface RunFacts {
  /** Start of the run, to the minute, in UTC. */
  readonly date: string;
  /** The command line. Only the last segment of each absolute path is kept. */
  readonly command: string;
  /** Commit of this repository, followed by `, dirty` if files had uncommitted changes. */
  readonly commit: string;
  readonly machine: {
    readonly cpu: string;
    readonly numCores: number;
    readonly memoryBytes: number;
    readonly system: string;
    /** Load average of the minute before the start: about 0 on a quiet machine. */
    readonly loadBefore: number;
  };
  readonly versions: Readonly<Record<string, string>>;
  /** Notes by subject: its version, or the reason why it could not run. */
  readonly notes: Readonly<Record<string, string>>;
}

// npm packages that the benches measure, or that our code depends on.
const measuredPackages = [
  "apache-arrow",
  "protobufjs",
  "@bufbuild/protobuf",
  "tfrecord",
  "@node-rs/crc32",
  "papaparse",
  "csv-parse",
  "d3-dsv",
  "@uwdata/flechette",
  "hyparquet",
  "parquet-wasm",
];

/** Returns the facts of a run that starts now, without `notes`, which the benches add. */
export function factsOfRun(args: readonly string[], environment: NodeJS.ProcessEnv): Omit<RunFacts, "notes"> {
  return {
    date: `${new Date().toISOString().slice(0, 16).replace("T", " ")} UTC`,
    command: commandLine(args, environment),
    commit: git("describe", "--always", "--dirty=, dirty"),
    machine: {
      cpu: cpus()[0]?.model.trim() ?? "unknown",
      numCores: availableParallelism(),
      memoryBytes: totalmem(),
      system: `${platform()} ${arch()}`,
      loadBefore: loadavg()[0] ?? 0,
    },
    versions: {
      node: process.versions.node,
      v8: process.versions.v8,
      ...Object.fromEntries(measuredPackages.map((name) => [name, installedVersion(name)])),
    },
  };
}

/** Returns the path of the facts that belong to the measurements in the file `json`. */
export function factsFile(json: string): string {
  return `${json.replace(/\.json$/, "")}.meta.json`;
}

function commandLine(args: readonly string[], environment: NodeJS.ProcessEnv): string {
  const shortened = (word: string): string => (path.isAbsolute(word) ? path.basename(word) : word);
  const words = ["npx -y pnpm@12.21.0 bench", ...args.map(shortened)];
  const python = environment.TFXIO_BENCH_PYTHON;
  if (python !== undefined) words.unshift(`TFXIO_BENCH_PYTHON=${shortened(python)}`);
  return words.join(" ");
}

function git(...args: readonly string[]): string {
  try {
    return execFileSync("git", args, { cwd: import.meta.dirname, encoding: "utf8", stdio: "pipe" }).trim();
  } catch {
    return "unknown";
  }
}

/** Reads the version from package.json in `node_modules`, because not every package exports that file. */
function installedVersion(name: string): string {
  const folders = createRequire(import.meta.url).resolve.paths(name) ?? [];
  for (const folder of folders) {
    try {
      const file = path.join(folder, name, "package.json");
      return (JSON.parse(readFileSync(file, "utf8")) as { readonly version: string }).version;
    } catch {
      // The package is not in this folder, so try the next folder.
    }
  }
  return "not installed";
}
