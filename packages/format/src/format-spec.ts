import type { Schema } from "@tfxio/schema";
import type { ByteSource, ByteTarget } from "@tfxio/wire";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import type { SniffResult } from "./sniff-result.js";
import type { Limits } from "./limits.js";
import type { ReadPlan } from "./read-plan.js";
import type { ColumnForm, FormatReads, PlanRequest } from "./read-request.js";

/** Context of a format's own `open`, checked and complete. */
export interface OpenContext<Options extends object> {
  readonly options: Options;
  readonly limits: Limits;
  readonly signal?: AbortSignal | undefined;
}

/** The reader that a format's own `open` returns; {@link defineFormat} turns it into a {@link Reader}. */
export interface FormatReader {
  /** Receives only fields that the format declares. */
  plan(request: PlanRequest): Promise<ReadPlan>;
  /** Called once. Absent: nothing to free. */
  close?(): Promise<void>;
}

/** Context of a format's own `createWriter`. */
export interface WriterContext<Options extends object> {
  /** Schema of every batch that will be written. */
  readonly arrowSchema: ArrowSchema;
  /** Gives columns the meaning that their Arrow types leave open: its representations define how nested columns are stored. */
  readonly schema?: Schema | undefined;
  readonly options: Options;
  readonly signal?: AbortSignal | undefined;
}

/** Writes one file. The caller counts rows and files, and commits or discards. */
export interface BatchWriter {
  /** Appends a batch. Resolves when the writer can take the next one. */
  write(batch: RecordBatch): Promise<void>;
  /** Writes the rest, such as a footer, after which the target is ready to commit. A file without batches is valid. */
  finish(): Promise<void>;
}

/**
 * A format as a third party implements it: plain functions in an object. Support for tensors, datasets, workers and Beam is
 * derived from it.
 */
export interface FormatSpec<Options extends object> {
  /** Kebab-case name by which callers request the format. */
  readonly id: string;
  /** Lower-case file name endings with their dot. */
  readonly extensions: readonly string[];
  /** An object with a key for every option; `{}` for a format without options. */
  readonly defaults: Options;
  /** The version of this contract that the format targets: 2. */
  readonly contractVersion: number;
  /** Default `"stored"`. */
  readonly columnForm?: ColumnForm | undefined;
  /** Default: nothing beyond `columns`, `schema`, `unlisted` and `batchSize`. */
  readonly reads?: FormatReads | undefined;
  /** See {@link Format.module}. */
  readonly module?: string | undefined;
  /** See {@link Format.sniff}. */
  sniff?(this: void, head: Uint8Array): SniffResult;
  /** Sources can be read repeatedly. Do not open anything here that needs closing. */
  open(sources: readonly ByteSource[], context: OpenContext<Options>): Promise<FormatReader>;
  /** Reads one-pass bytes, as from a socket or a pipe. Absent: the format needs files. */
  openStream?(bytes: AsyncIterable<Uint8Array>, context: OpenContext<Options>): Promise<FormatReader>;
  /** Absent: the format cannot be written. Never commits or discards `target`. */
  createWriter?(this: void, target: ByteTarget, context: WriterContext<Options>): Promise<BatchWriter>;
}
