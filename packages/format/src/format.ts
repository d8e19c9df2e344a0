import type { Schema } from "@tfxio/schema";
import type { ByteSource, ByteTarget } from "@tfxio/wire";
import type { Schema as ArrowSchema } from "apache-arrow";
import type { BatchWriter } from "./format-spec.js";
import type { Limits } from "./limits.js";
import type { ReadPlan } from "./read-plan.js";
import type { SniffResult } from "./sniff-result.js";
import type { ColumnForm, FormatReads, ReadRequest } from "./read-request.js";

/**
 * Version of the format contract, which consists of the interfaces of this package. Each format declares the version that it
 * targets.
 */
export const CONTRACT_VERSION = 2;

/** The oldest contract version that is still supported. */
export const MIN_CONTRACT_VERSION = 2;

/** Options of {@link Format.open} and {@link Format.openStream}. */
export interface OpenOptions<Options extends object> {
  /** Options of the format. Missing keys take their values from {@link Format.defaults}. An unknown key throws. */
  readonly options?: Partial<Options> | undefined;
  /** Limits that differ from the default limits. */
  readonly limits?: Partial<Limits> | undefined;
  /** Cancels opening only. A read has its own signal. */
  readonly signal?: AbortSignal | undefined;
}

/** A reader of opened sources. */
export interface Reader {
  /**
   * Plans a read of the sources.
   * @throws {UnsupportedError} `unsupported` (`undeclared-request`) for a field that the format must declare in {@link
   *   Format.reads}, but does not.
   */
  plan(request?: ReadRequest): Promise<ReadPlan>;
  /** Frees the reader's resources. Reads in progress fail. Safe to call twice. */
  close(): Promise<void>;
}

/** Options of {@link Format.createWriter}. */
export interface WriterOptions<Options extends object> {
  /** Schema of every batch that will be written. A batch with a different schema throws `schema-mismatch` (`batch-schema`). */
  readonly arrowSchema: ArrowSchema;
  /** Describes what Arrow types do not, such as which features a nested column has. Formats that do not need it ignore it. */
  readonly schema?: Schema | undefined;
  /** Options of the format. Missing keys take their values from {@link Format.defaults}. An unknown key throws. */
  readonly options?: Partial<Options> | undefined;
  /** Cancels the creation of the writer, and its writes. */
  readonly signal?: AbortSignal | undefined;
}

/** A physical format of training data, created by {@link defineFormat}. */
export interface Format<Options extends object = object> {
  /** The version of the contract that the format targets. */
  readonly contractVersion: number;
  /** Kebab-case name by which callers request the format. */
  readonly id: string;
  /** File name endings in lower case, with their dots, such as `.csv`. */
  readonly extensions: readonly string[];
  /** Every option of the format, with its default value. */
  readonly defaults: Options;
  /** Form of the columns, unless a request selects the other form. */
  readonly columnForm: ColumnForm;
  /** Optional request fields and kinds of read that the format supports. */
  readonly reads: FormatReads;
  /**
   * URL of an ES module that exports this format, for worker threads and other processes. They find the export by its `id`, so
   * the name of the export does not matter. The module that defines the format passes `import.meta.url`. A worker opens the same
   * sources with the same options, plans the same request, and must get the same splits. The worker transfers the buffers of its
   * batches to the caller, so the format must not use the buffers again. Without `module`, the format reads only on the calling
   * thread.
   */
  readonly module?: string | undefined;
  /** Judges whether a source is in this format. `head` holds its first bytes, uncompressed, at most 4096. */
  sniff?(this: void, head: Uint8Array): SniffResult;
  /**
   * Opens one or more sources. The caller must close the reader.
   * @throws {ArgumentError} `invalid-argument` for an empty list of sources, an unknown option or a limit that is not a positive
   *   integer. Errors of the sources or the data may surface in this call, in `plan` or in a read.
   */
  open(sources: readonly ByteSource[], options?: OpenOptions<Options>): Promise<Reader>;
  /**
   * Opens bytes that can be read only once, so each split of a plan can be read only once. Absent if the format requires files.
   */
  openStream?(this: void, bytes: AsyncIterable<Uint8Array>, options?: OpenOptions<Options>): Promise<Reader>;
  /**
   * Creates a writer that writes one file to `target`. The caller commits or discards the target. Absent if the format cannot be
   * written. The Arrow schema and the batches may come from another copy of apache-arrow, such as its CommonJS files in a program
   * that also loads its ES modules.
   */
  createWriter?(this: void, target: ByteTarget, options: WriterOptions<Options>): Promise<BatchWriter>;
}

/** A format that can be written. */
export type WritableFormat<Options extends object = object> = Format<Options> &
  Required<Pick<Format<Options>, "createWriter">>;
