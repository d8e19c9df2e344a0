import type { RecordBatch } from "apache-arrow";
import type { BenchSet } from "../sets/bench-set.js";
import type { SetFile } from "../sets/generate.js";
import type { DecodeDigest } from "./column-digest.js";

/** Rows in a batch, for every subject. Around this size, no subject's speed depends on it. */
export const batchRows = 4096;

/** Rows of the batches in a pass over `set`, as a repeating sequence. */
export function batchRowsOf(set: BenchSet): readonly number[] {
  return set.batchRows ?? [batchRows];
}

/** True if all batches of a pass have the usual number of rows. Most subjects support no other batches. */
export function hasUsualBatches(set: BenchSet): boolean {
  return set.batchRows === undefined;
}

/** One timed run. */
export interface Run {
  readonly seconds: number;
  readonly numRows: number;
  /** Page faults of the process that needed no disk access: the cost of touching new memory. */
  readonly minorFaults?: number;
}

/** The input of a set: the whole, and a prefix for subjects that would take minutes. */
export interface SetInput {
  readonly whole: SetFile;
  /** A file of the first records of `whole`. */
  readonly sample: SetFile;
  /** The bytes of `whole`, for subjects on this thread. */
  readonly bytes: Uint8Array;
}

/** A subject that is ready to run on one set. */
export interface PreparedSubject {
  /** Version of a peer, if it depends on the machine. */
  readonly version?: string;
  /** Bytes that `run` decodes, TFRecord framing included. */
  readonly numBytes: number;
  readonly numRecords: number;
  run(): Promise<Run>;
  /** Decodes the sample, untimed, and fingerprints the result. This also warms up the subject. */
  digest(): Promise<DecodeDigest>;
}

/** A subject that cannot run here, with the reason. */
export interface AbsentSubject {
  readonly absent: string;
}

/** One way to decode a set. */
export interface DecodeSubject {
  readonly name: string;
  /** `ours` is compared with the others. Only `javascript` routes, which end in Arrow, compete for "best JavaScript route". */
  readonly route: "ours" | "javascript" | "javascript-objects" | "native";
  supports(set: BenchSet): boolean;
  prepare(set: BenchSet, input: SetInput): Promise<PreparedSubject | AbsentSubject>;
}

/** Receives each batch of a decode. */
export type BatchSink = (batch: RecordBatch) => void;

/** A subject that takes part on a set. */
export interface Entrant {
  readonly subject: DecodeSubject;
  readonly prepared: PreparedSubject;
}

/** The measured runs of an entrant. */
export interface SubjectRuns extends Entrant {
  readonly seconds: readonly number[];
  /** Page faults of each run; empty for a subject that does not count them. */
  readonly minorFaults: readonly number[];
}
