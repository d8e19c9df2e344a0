import type { ColumnSpec } from "../../sets/bench-set.js";

/** A pipeline: rows batched, shuffled or mapped from memory, or shuffled from a TFRecord file. */
export type PipelineName = "batch" | "shuffle" | "map" | "tfrecord";

/** Rows in a batch. */
export const batchSize = 256;
/** Rows in the shuffle buffer. */
export const bufferSize = 10_000;

/** The input of a pipeline: rows of {@link tableBatches}, or a TFRecord file. */
export interface PipelineInput {
  readonly numRows: number;
  /** Path of the TFRecord file; absent for table rows. */
  readonly path?: string | undefined;
  /** Features of the TFRecords to decode. */
  readonly columns?: readonly ColumnSpec[] | undefined;
}

/** The time and rows of one pass. */
export interface PipelineRun {
  /** Processor time of all threads, in seconds. */
  readonly seconds: number;
  readonly numRows: number;
}

/** One implementation of the pipelines. */
export interface PipelineSubject {
  readonly name: string;
  /** Maximum number of table rows that it reads. Slow subjects read fewer. */
  readonly mostRows: number;
  readonly pipelines: readonly PipelineName[];
  /** Prepares the subject; resolves to its version, or to the reason for its absence. */
  prepare(): Promise<{ readonly version?: string | undefined } | { readonly absent: string }>;
  run(pipeline: PipelineName, input: PipelineInput): Promise<PipelineRun>;
}
