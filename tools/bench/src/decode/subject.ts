import type { RecordBatch } from "apache-arrow";
import type { BenchSet } from "../sets/bench-set.js";
import type { SetFile } from "../sets/generate.js";
import type { DecodeDigest } from "./column-digest.js";

/** Usual number of rows in a batch. Slightly larger or smaller batches do not change any subject's speed. */
export const batchRows = 4096;

/** Returns the numbers of rows of successive batches in a pass over `set`. The sequence repeats until the set ends. */
export function batchRowsOf(set: BenchSet): readonly number[] {
  return set.batchRows ?? [batchRows];
}

/** Returns true if a pass over `set` uses batches of {@link batchRows} rows. Most subjects support only such sets. */
export function hasUsualBatches(set: BenchSet): boolean {
  return set.batchRows === undefined;
}

/** One timed run. */
export interface Run {
  readonly seconds: number;
  readonly numRows: number;
  /** Number of page faults without disk access. They show the cost of touching new memory. */
  readonly minorFaults?: number;
}

/** The input of a set: the whole file, and a shorter file for subjects that would take minutes to decode the whole file. */
export interface SetInput {
  readonly whole: SetFile;
  /** A file of the first records of `whole`. */
  readonly sample: SetFile;
  /** The bytes of `whole`, for subjects that decode bytes in memory. */
  readonly bytes: Uint8Array;
}

/** A subject that is ready to run on one set. */
export interface PreparedSubject {
  /** Version of a peer that is not installed from package.json, such as a Python library. */
  readonly version?: string;
  /** Number of bytes that `run` decodes, including the TFRecord framing. */
  readonly numBytes: number;
  readonly numRecords: number;
  run(): Promise<Run>;
  /** Decodes the sample without timing it, and returns the result's fingerprints. This also warms up the subject. */
  digest(): Promise<DecodeDigest>;
}

/** Result of `prepare` for a subject that cannot run on this machine. */
export interface AbsentSubject {
  /** The reason, for the printed notes. */
  readonly absent: string;
}

/** One way to decode a set. */
export interface DecodeSubject {
  readonly name: string;
  /**
   * Kind of subject. `ours` is compared with all others. Only `javascript` subjects, which create Arrow batches, can be the "best
   * JavaScript route".
   */
  readonly route: "ours" | "javascript" | "javascript-objects" | "native";
  supports(set: BenchSet): boolean;
  prepare(set: BenchSet, input: SetInput): Promise<PreparedSubject | AbsentSubject>;
}

/** Receives each decoded batch. A leased batch is valid only during the call. */
export type BatchSink = (batch: RecordBatch) => void;

/** A subject that supports a set and can run on this machine. */
export interface Entrant {
  readonly subject: DecodeSubject;
  readonly prepared: PreparedSubject;
}

/** The measured runs of an entrant. */
export interface SubjectRuns extends Entrant {
  /** Seconds of each run, in the order of the rounds. */
  readonly seconds: readonly number[];
  /** Page faults of each run; empty for a subject that does not count them. */
  readonly minorFaults: readonly number[];
}
