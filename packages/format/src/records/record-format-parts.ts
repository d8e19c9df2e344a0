import type {
  BatchLimits,
  ByteSource,
  FramedOptions,
  FramedWindow,
  FramedWindows,
  Position,
  PushProgress,
  RecordBlock,
} from "@tfxio/wire";
import type { Schema } from "@tfxio/schema";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import type { Limits } from "../limits.js";
import type { PlanRequest } from "../read-request.js";
import type { SniffResult } from "../sniff-result.js";

/** Purpose for which options are passed. `assertOptions` should reject an option that has no effect for this purpose. */
export type OptionsUse = "read" | "write";

/** A container defines the framing of records in a file. */
export interface RecordContainer<Options extends object = object> {
  /** Id of the container. The default id of a composed format is this id, a hyphen, and the payload's id. */
  readonly id: string;
  readonly extensions: readonly string[];
  readonly defaults: Options;
  /** See {@link FormatSpec.sniff}. */
  sniff?(this: void, head: Uint8Array): SniffResult;
  /**
   * Checks the values of options. `options` has only the options of the container, not the options of the payload.
   * @throws {ArgumentError} `invalid-argument` for an invalid value of an option.
   */
  assertOptions?(options: Options, use: OptionsUse): void;
  /**
   * Yields blocks of the complete records of a source, in order, from `context.from` to the end of the part. A block is valid
   * until the next one is requested. A partial record at the end throws `truncated-record`.
   */
  blocks(source: ByteSource, context: ContainerContext<Options>): AsyncIterable<RecordBlock>;
  /**
   * Returns, in ascending order, the places at which to cut a source into parts of about `partBytes` bytes. {@link blocks} then
   * reads one part at a time. The list is empty for a source that cannot be cut, such as a compressed file. Throws the errors of
   * the source. Without this method, a source is one split.
   */
  cuts?(source: ByteSource, context: CutContext<Options>): Promise<readonly RecordCut[]>;
  /**
   * Opens a source for reading records by number. This may read the whole source once. Without this method, records can only be
   * read in order.
   * @throws {UnsupportedError} `unsupported` for a source that can only be read in order, such as a compressed file.
   */
  index?(
    source: ByteSource,
    context: Pick<ContainerContext<Options>, "options" | "limits" | "signal">,
  ): Promise<RecordIndex>;
}

/** The records of a source, which can be read by their numbers. */
export interface RecordIndex {
  readonly numRecords: number;
  /**
   * Reads the records with the numbers `recordIndices`, in this order, each as a separate block. Also throws the errors of the
   * source.
   * @throws {RecordError} for damaged records.
   */
  read(
    recordIndices: Uint32Array,
    options: { readonly signal?: AbortSignal | undefined },
  ): Promise<readonly RecordBlock[]>;
}

/** A place between two records of a source. */
export interface RecordCut {
  /** Offset of the frame of the record after the cut. */
  readonly byteOffset: number;
  /** Index of that record in the source, if known. */
  readonly recordIndex?: number | undefined;
}

/** Context of {@link RecordContainer.cuts}. */
export interface CutContext<Options extends object>
  extends Pick<ContainerContext<Options>, "options" | "limits" | "signal"> {
  /** Desired size of each part, in stored bytes. */
  readonly partBytes: number;
}

/** A container that can also yield framed bytes, for decoders whose kernel reads the framing itself. */
export interface FramedContainer<Options extends object = object> extends RecordContainer<Options> {
  readonly framing: RecordFraming<Options>;
}

/** The framed bytes of a container, and the options for checking frames. */
export interface RecordFraming<Options extends object> {
  /** Name of the framing, as in {@link FramedSession.framings}. */
  readonly id: string;
  /** Returns the framed bytes as windows. The first `next` opens the source. */
  windows(source: ByteSource, context: ContainerContext<Options>): FramedWindows;
  /** Returns the options to pass to {@link FramedSession.pushFramed}. */
  framedOptions(context: ContainerContext<Options>): FramedOptions;
}

/** Context of {@link RecordContainer.blocks} and {@link RecordFraming}. */
export interface ContainerContext<Options extends object> {
  readonly options: Options;
  readonly limits: Limits;
  /** The part of the source to read. Default: the whole source. */
  readonly part?: RecordPart | undefined;
  /**
   * The first record to read. `row` counts from the start of the part. `detail`, if present, is the byte offset of the record's
   * frame.
   */
  readonly from?: Position | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A part of a source, bounded by {@link RecordContainer.cuts}. */
export interface RecordPart {
  /** Offset of the first byte of the part in the source. */
  readonly start: number;
  /** End of the part, exclusive. Default: the end of the source. */
  readonly end?: number | undefined;
  /**
   * Index of the part's first record, counted from the start of the source. If unknown, it is absent, and errors count records
   * from the start of the part.
   */
  readonly firstRecordIndex?: number | undefined;
}

/** A payload defines the encoding of a record. */
export interface PayloadDecoder<Options extends object = object> {
  /** Id of the payload, the second part of the default id of a composed format. */
  readonly id: string;
  readonly defaults: Options;
  /** Request fields that the payload honours. Default: none, so that a request for raw records throws `unsupported`. */
  readonly reads?: { readonly rawRecordColumn?: true | undefined } | undefined;
  /**
   * Checks the values of options. `options` has only the options of the payload, not the options of the container.
   * @throws {ArgumentError} `invalid-argument` for an invalid value of an option.
   */
  assertOptions?(options: Options, use: OptionsUse): void;
  /**
   * Plans how to decode records for a request. Called once per plan of the format.
   * @throws {SchemaError} if records cannot be decoded to the schema, or the schema lacks a requested column.
   */
  plan(request: PayloadRequest, options: Options): Promise<PayloadPlan>;
}

/** The fields of a {@link ReadRequest} that a payload receives, and the limits. */
export type PayloadRequest = Pick<
  PlanRequest,
  "columns" | "schema" | "isInferred" | "rawRecordColumn" | "isSample"
> & {
  /** Treatment of columns outside the schema. */
  readonly unlisted: "drop" | "error";
  /** Payloads apply `maxColumns`; containers apply `maxRecordBytes`. */
  readonly limits: Limits;
};

/** A plan for decoding payloads. It has no state; each read creates a session. */
export interface PayloadPlan {
  /** Schema of every batch; absent if batches describe themselves. */
  readonly arrowSchema?: ArrowSchema | undefined;
  /** See {@link ReadPlan.schema}. */
  readonly schema?: Schema | undefined;
  /**
   * True if sessions may skip records. If a read appends row positions or split indices, such a session receives one record per
   * push. Default false.
   */
  readonly skipsRecords?: boolean | undefined;
  /**
   * True if sessions use the index of a record in its file. A file is then cut only if the record index of every cut is known.
   * Default false.
   */
  readonly needsRecordIndices?: boolean | undefined;
  /** Creates an independent session for one read. */
  createSession(): PayloadSession;
}

/**
 * A session decodes records into one batch at a time. After an error, the unfinished batch is discarded and the session stays
 * usable. Errors take the file, record index and byte offset from the block or window.
 */
export interface PayloadSession {
  readonly numRows: number;
  /** Number of records skipped so far because an option allows it, over all batches of the session. */
  readonly numSkipped: number;
  /** Decodes records of the block, starting with record `from`, until the batch is full or the block ends. */
  push(block: RecordBlock, from: number, limits: BatchLimits): PushProgress;
  /** Returns the batch and starts an empty one. */
  finish(): RecordBatch;
}

/** A session that can also read framed bytes. It reads framing, checksums and payloads in one pass. */
export interface FramedSession extends PayloadSession {
  /** Ids of the framings that {@link pushFramed} accepts. */
  readonly framings: readonly string[];
  /** Decodes complete records of the window, starting at byte `from`, until the batch is full or no complete record is left. */
  pushFramed(window: FramedWindow, from: number, limits: BatchLimits, options: FramedOptions): PushProgress;
}
