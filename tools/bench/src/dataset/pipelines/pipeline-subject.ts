import type { ColumnSpec } from "../../sets/bench-set.js";

/** The result that is made from the rows. */
export type PipelineName = "batch" | "shuffle" | "map" | "tfrecord";

/** Rows of a batch, and of the buffer that they are shuffled in. */
export const batchSize = 256;
export const bufferSize = 10_000;

/** The input of a pipeline: rows of {@link tableBatches}, or a file of TFRecords. */
export interface PipelineInput {
  readonly numRows: number;
  /** Of TFRecords. */
  readonly path?: string | undefined;
  /** Features of the TFRecords to decode. */
  readonly columns?: readonly ColumnSpec[] | undefined;
}

/** What one pass took. */
export interface PipelineRun {
  /** Processor time of all threads. */
  readonly seconds: number;
  readonly numRows: number;
}

/** One implementation of the pipelines. */
export interface PipelineSubject {
  readonly name: string;
  /** Rows that it reads at most: slow ones read fewer. */
  readonly mostRows: number;
  readonly pipelines: readonly PipelineName[];
  /** Gets ready; resolves to its version, or to why it is absent. */
  prepare(): Promise<{ readonly version?: string | undefined } | { readonly absent: string }>;
  run(pipeline: PipelineName, input: PipelineInput): Promise<PipelineRun>;
}
