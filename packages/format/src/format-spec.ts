import type { Schema } from "@tfxio/schema";
import type { ByteSource, ByteTarget } from "@tfxio/wire";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import type { SniffResult } from "./sniff-result.js";
import type { Limits } from "./limits.js";
import type { ReadPlan } from "./read-plan.js";
import type { ColumnForm, FormatReads, PlanRequest } from "./read-request.js";

/**
 * Context of the `open` and `openStream` of a {@link FormatSpec}. Options and limits include the defaults. The limits are
 * checked. Of the options, only the names are checked, so `open` and `openStream` must check the values.
 */
export interface OpenContext<Options extends object> {
  readonly options: Options;
  readonly limits: Limits;
  readonly signal?: AbortSignal | undefined;
}

/** The reader that `open` or `openStream` of a {@link FormatSpec} returns. {@link defineFormat} wraps it in a {@link Reader}. */
export interface FormatReader {
  /** Plans a read. `request` has only fields that every format accepts or this format declares. */
  plan(request: PlanRequest): Promise<ReadPlan>;
  /** Frees the reader's resources. Called at most once. Absent if there is nothing to free. */
  close?(): Promise<void>;
}

/** Context of the `createWriter` of a {@link FormatSpec}. Like `open`, `createWriter` must check the values of the options. */
export interface WriterContext<Options extends object> {
  /** Schema of every batch that will be written. */
  readonly arrowSchema: ArrowSchema;
  /** Describes what the Arrow types leave open. Its tensor representations define how nested columns are stored. */
  readonly schema?: Schema | undefined;
  readonly options: Options;
  readonly signal?: AbortSignal | undefined;
}

/** A writer of one file. The caller counts rows and files, and commits or discards the target. */
export interface BatchWriter {
  /** Appends a batch. Resolves when the writer can accept the next batch. */
  write(batch: RecordBatch): Promise<void>;
  /**
   * Writes buffered rows and the end of the file, such as a footer. The target can then be committed. Must also work if no batch
   * was written.
   */
  finish(): Promise<void>;
}

/**
 * The implementation of a format: an object with plain functions. Pass it to {@link defineFormat}. The resulting format works
 * with tensors, datasets and Beam, and with worker threads if it has a `module`.
 */
export interface FormatSpec<Options extends object> {
  /** Kebab-case name by which callers request the format. */
  readonly id: string;
  /** File name endings in lower case, with their dots, such as `.csv`. */
  readonly extensions: readonly string[];
  /** The default value of every option; `{}` for a format without options. Callers cannot pass other keys. */
  readonly defaults: Options;
  /** The version of this contract that the format targets. Must be 2. */
  readonly contractVersion: number;
  /** Form of the columns, unless a request selects the other form. Default `"stored"`. */
  readonly columnForm?: ColumnForm | undefined;
  /** Optional request fields and kinds of read that the format supports. Default: none. */
  readonly reads?: FormatReads | undefined;
  /** See {@link Format.module}. */
  readonly module?: string | undefined;
  /** See {@link Format.sniff}. */
  sniff?(this: void, head: Uint8Array): SniffResult;
  /**
   * Opens sources, which can be read repeatedly. If it rejects, it must leave nothing open, because there is no reader to close.
   */
  open(sources: readonly ByteSource[], context: OpenContext<Options>): Promise<FormatReader>;
  /** Opens bytes that can be read only once, such as those of a socket or a pipe. Absent if the format requires files. */
  openStream?(bytes: AsyncIterable<Uint8Array>, context: OpenContext<Options>): Promise<FormatReader>;
  /**
   * Creates a writer. The writer must not commit or discard `target`. The Arrow schema and the batches have the classes of the
   * copy of apache-arrow that this package imports, even if the caller uses another copy. Absent if the format cannot be written.
   */
  createWriter?(this: void, target: ByteTarget, context: WriterContext<Options>): Promise<BatchWriter>;
}
