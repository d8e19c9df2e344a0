import type { Schema } from "@tfxio/schema";
import type { ByteSource, ByteTarget } from "@tfxio/wire";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import type { SniffResult } from "./sniff-result.js";
import type { Limits } from "./limits.js";
import type { ReadPlan } from "./read-plan.js";
import type { FormatReads, PlanRequest } from "./read-request.js";

/**
 * What batches of a format are. `"lists"`: each column is a list of values, as tf.Examples have them. `"stored"`: the
 * types of the file; `arrow-encoding`'s `toListColumns` makes lists of them.
 */
export type ColumnForm = "stored" | "lists";

/** What a format's own `open` gets: everything checked and filled in. */
export interface OpenContext<Options extends object> {
  readonly options: Options;
  readonly limits: Limits;
  readonly signal?: AbortSignal | undefined;
}

/** The reader that a format's own `open` gives; {@link defineFormat} makes a {@link Reader} of it. */
export interface FormatReader {
  /** Gets only fields that the format declares. */
  plan(request: PlanRequest): Promise<ReadPlan>;
  /** Called once. Absent: nothing to free. */
  close?(): Promise<void>;
}

/** What a format's own `createWriter` gets. */
export interface WriterContext<Options extends object> {
  /** Schema of every batch that will be written. */
  readonly arrowSchema: ArrowSchema;
  /** What columns mean whose types do not tell: its representations say how nested columns are stored. */
  readonly schema?: Schema | undefined;
  readonly options: Options;
  readonly signal?: AbortSignal | undefined;
}

/** Writes one file. Counting rows and files, committing and discarding are the caller's. */
export interface BatchWriter {
  /** Appends a batch; resolves once the next may come. */
  write(batch: RecordBatch): Promise<void>;
  /** Writes what is left, such as a footer. A file of no batches is valid. The target is then ready to commit. */
  finish(): Promise<void>;
}

/**
 * What a third party implements: plain functions in an object. Tensors, datasets, workers and Beam are derived
 * above it.
 */
export interface FormatSpec<Options extends object> {
  /** Kebab-case name, as callers ask for it. */
  readonly id: string;
  /** Lower-case file name endings with their dot. */
  readonly extensions: readonly string[];
  /** An object with a key for every option; `{}` when there is none. */
  readonly defaults: Options;
  /** The version of this contract that the format was written for: 2. */
  readonly contractVersion: number;
  /** Default `"stored"`. */
  readonly columnForm?: ColumnForm | undefined;
  /** Default: nothing beyond `columns`, `schema`, `unlisted` and `batchSize`. */
  readonly reads?: FormatReads | undefined;
  /** See {@link Format.module}. */
  readonly module?: string | undefined;
  /** See {@link Format.sniff}. */
  sniff?(this: void, head: Uint8Array): SniffResult;
  /** Sources can be read again and again. Open nothing yet that has to be closed. */
  open(sources: readonly ByteSource[], context: OpenContext<Options>): Promise<FormatReader>;
  /** Reads bytes that come once, as from a socket or a pipe. Absent: the format needs files. */
  openStream?(bytes: AsyncIterable<Uint8Array>, context: OpenContext<Options>): Promise<FormatReader>;
  /** Absent: the format cannot be written. Never commits or discards `target`. */
  createWriter?(this: void, target: ByteTarget, context: WriterContext<Options>): Promise<BatchWriter>;
}
