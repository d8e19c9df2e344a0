import type { FindPeerPython } from "./peer-python.js";

/** What one subject reached on one set: an element of the JSON that `--json` writes. */
export interface Measurement {
  readonly bench: string;
  readonly set: string;
  readonly subject: string;
  /** Higher is better unless it is a time, `bytes` or `faults`. */
  readonly unit: string;
  readonly median: number;
  /** In the order they were run. */
  readonly runs: readonly number[];
}

/** Output of a bench: `print` writes measurements to stdout, `progress` everything else to stderr. */
export interface Output {
  print(line: string): void;
  progress(line: string): void;
}

/** The words of a running bench. */
export interface BenchOutput extends Output {
  /** Notes on `subject`: its version, or why it is absent. Stored with the measurements. */
  note(subject: string, text: string): void;
}

/** What the command line asks of every bench. */
export interface BenchOptions {
  /** Names of sets; absent: all that the bench knows. */
  readonly sets?: readonly string[] | undefined;
  /** Names of subjects; absent: all that can run. */
  readonly subjects?: readonly string[] | undefined;
  /** Size of a generated set in bytes. */
  readonly setBytes: number;
  /** Size of a generated set of long records for `decode`, in bytes: at least eight batches of 4096 rows by default. */
  readonly longSetBytes: number;
  /** Size of the file that is streamed for the peak of its memory, in bytes. */
  readonly streamedBytes: number;
  /** How much of a set the slow peers decode, in bytes. */
  readonly sampleBytes: number;
  readonly rounds: number;
  /** Folder of generated sets, kept between runs. */
  readonly cacheFolder: string;
  /** Finds the Python that peers run in, which may take the time to install it. */
  readonly python: FindPeerPython;
  /** A folder with the npm packages of WebGPU; absent: those that this workspace has. */
  readonly webgpuFolder?: string | undefined;
}

/** A bench failed to measure: two subjects disagree, or a peer broke. The command ends with status 1. */
export class BenchError extends Error {
  override readonly name = "BenchError";
}

/** One bench by name. */
export interface Bench {
  readonly name: string;
  readonly about: string;
  /** Names of all its sets and subjects. The bench ignores requested names that it lacks. */
  readonly sets: readonly string[];
  readonly subjects: readonly string[];
  /** @throws {BenchError} when subjects do not decode the same. */
  run(options: BenchOptions, output: BenchOutput): Promise<readonly Measurement[]>;
}
