import type { FindPeerPython } from "./peer-python.js";

/** The result of one subject on one set, in one unit. It is one element of the JSON array that `--json` writes. */
export interface Measurement {
  readonly bench: string;
  readonly set: string;
  readonly subject: string;
  /** Unit of `median` and `runs`. Higher values are better, unless the unit is a time, `bytes` or `faults`. */
  readonly unit: string;
  /** Median of `runs`. */
  readonly median: number;
  /** One value per run, in the order of the runs. */
  readonly runs: readonly number[];
}

/** Output of the command. `print` writes results to stdout; `progress` writes progress, notes and errors to stderr. */
export interface Output {
  print(line: string): void;
  progress(line: string): void;
}

/** Output of a running bench. It also takes notes on subjects. */
export interface BenchOutput extends Output {
  /** Records a note on `subject`: its version, or the reason why it cannot run. Notes are saved with the measurements. */
  note(subject: string, text: string): void;
}

/** The options of every bench. */
export interface BenchOptions {
  /** Names of the sets to run; undefined for all. */
  readonly sets?: readonly string[] | undefined;
  /** Names of the subjects to run; undefined for all that can run on this machine. */
  readonly subjects?: readonly string[] | undefined;
  /** Size of a generated set in bytes. */
  readonly setBytes: number;
  /** Size in bytes of a set of long records for `decode`. By default, such a set has at least eight times 4096 rows. */
  readonly longSetBytes: number;
  /** Size in bytes, before compression, of the file that `memory` streams. */
  readonly streamedBytes: number;
  /** Size in bytes of the input of slow peers, and of all input of `encode`, `proto` and `struct2tensor`. */
  readonly sampleBytes: number;
  /** Number of timed runs of each subject. */
  readonly rounds: number;
  /**
   * Minimum number of seconds of each run: elapsed time for `proto`, processor time for the pipelines of `dataset`. A run repeats
   * its pass without a pause until it has taken this time.
   */
  readonly leastSeconds: number;
  /** Folder for generated files. The sets stay there for later runs. */
  readonly cacheFolder: string;
  /** Finds the Python that peers run in. The first call for a set of modules may install them. */
  readonly python: FindPeerPython;
  /** A folder with the npm packages of WebGPU; undefined to look for them in this workspace. */
  readonly webgpuFolder?: string | undefined;
}

/** Thrown if a bench or the report fails, for example because two subjects disagree. The command exits with status 1. */
export class BenchError extends Error {
  override readonly name = "BenchError";
}

/** One bench. */
export interface Bench {
  readonly name: string;
  /** One line for `--help`. */
  readonly about: string;
  /** Names of all its sets. The bench ignores requested names that are not in this list. */
  readonly sets: readonly string[];
  /** Names of all its subjects. The bench ignores requested names that are not in this list. */
  readonly subjects: readonly string[];
  /** @throws {BenchError} if the results of two subjects differ, or a subject fails. */
  run(options: BenchOptions, output: BenchOutput): Promise<readonly Measurement[]>;
}
