import type { ColumnSpec } from "../../sets/bench-set.js";

/**
 * A pipeline. `batch`, `shuffle` and `map` read rows from memory. `tfrecord` reads a file and shuffles it. Each pipeline forms
 * batches.
 */
export type PipelineName = "batch" | "shuffle" | "map" | "tfrecord";

/** Number of rows in a batch. */
export const batchSize = 256;
/** Number of rows in the shuffle buffer. */
export const bufferSize = 10_000;

/** The input of a pipeline: the rows of {@link tableBatches}, or a TFRecord file. */
export interface PipelineInput {
  readonly numRows: number;
  /** Path of the TFRecord file; absent for table rows. */
  readonly path?: string | undefined;
  /** Features to decode from the TFRecords; absent for table rows. */
  readonly columns?: readonly ColumnSpec[] | undefined;
}

/** The time of one pass, and the number of rows that it read. */
export interface PipelineRun {
  /** Processor time of all threads, in seconds. */
  readonly seconds: number;
  readonly numRows: number;
}

/** One implementation of the pipelines. */
export interface PipelineSubject {
  readonly name: string;
  /** Maximum number of table rows in a pass. A slow subject is given fewer rows, and its time is scaled up. */
  readonly mostRows: number;
  /** The pipelines that the subject supports. */
  readonly pipelines: readonly PipelineName[];
  /** Prepares the subject. Resolves to its version, or to the reason why it cannot run on this machine. */
  prepare(): Promise<{ readonly version?: string | undefined } | { readonly absent: string }>;
  run(pipeline: PipelineName, input: PipelineInput): Promise<PipelineRun>;
}
