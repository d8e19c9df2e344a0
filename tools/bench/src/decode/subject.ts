import type { RecordBatch } from "apache-arrow";
import type { BenchSet } from "../sets/bench-set.js";
import type { SetFile } from "../sets/generate.js";
import type { DecodeDigest } from "./column-digest.js";

/** Rows of a batch for every subject. Around this size, the speed of none of them depends on it. */
export const batchRows = 4096;

/** Rows of the batches of a pass over `set`, over and over. */
export function batchRowsOf(set: BenchSet): readonly number[] {
  return set.batchRows ?? [batchRows];
}

/** Whether all batches of a pass have as many rows, which is the only way that most subjects can cut them. */
export function hasUsualBatches(set: BenchSet): boolean {
  return set.batchRows === undefined;
}

/** One timed run. */
export interface Run {
  readonly seconds: number;
  readonly numRows: number;
  /** Page faults of its process that needed no disk: the price of memory that is touched for the first time. */
  readonly minorFaults?: number;
}

/** The input of a set: all of it, and its first part for subjects that would take minutes. */
export interface SetInput {
  readonly whole: SetFile;
  /** The same records as the head of `whole`. */
  readonly sample: SetFile;
  /** Contents of `whole`, for subjects on this thread. */
  readonly bytes: Uint8Array;
}

/** A subject that is ready to run on one set. */
export interface PreparedSubject {
  /** Version of a peer, if it depends on the machine. */
  readonly version?: string;
  /** Size of what `run` decodes, TFRecord framing included. */
  readonly numBytes: number;
  readonly numRecords: number;
  run(): Promise<Run>;
  /** Decodes the sample, untimed, and fingerprints the result. Serves as the warm-up too. */
  digest(): Promise<DecodeDigest>;
}

/** Why a subject cannot run here. */
export interface AbsentSubject {
  readonly absent: string;
}

/** One way to decode a set. */
export interface DecodeSubject {
  readonly name: string;
  /** `ours` is compared with the rest; `javascript` routes that end in Arrow compete for "best JavaScript route". */
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

/** What it took. */
export interface SubjectRuns extends Entrant {
  readonly seconds: readonly number[];
  /** Of each run; empty for a subject that does not know. */
  readonly minorFaults: readonly number[];
}
