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

/** Purpose of the options. An option that has no effect for it is refused. */
export type OptionsUse = "read" | "write";

/** A container: the framing of records in a file. */
export interface RecordContainer<Options extends object = object> {
  /** `containerFormat` of the composed format. */
  readonly id: string;
  readonly extensions: readonly string[];
  readonly defaults: Options;
  /** See {@link FormatSpec.sniff}. */
  sniff?(this: void, head: Uint8Array): SniffResult;
  /**
   * Receives only the container's options, not those of the composed format.
   * @throws {ArgumentError} `invalid-argument` for an invalid value of an option.
   */
  assertOptions?(options: Options, use: OptionsUse): void;
  /**
   * Whole records of a source in order, from `context.from` on. Ends with the source. A partial record at the
   * end is `truncated-record`.
   */
  blocks(source: ByteSource, context: ContainerContext<Options>): AsyncIterable<RecordBlock>;
  /**
   * Places to cut a source into parts of about `partBytes` bytes, in order. Empty for a source that cannot be cut, such as a
   * compressed one. {@link blocks} then reads such parts. Absent: a source is one split.
   * @throws errors of the source.
   */
  cuts?(source: ByteSource, context: CutContext<Options>): Promise<readonly RecordCut[]>;
  /**
   * Opens a source for reading records by number. This may read the whole source once. Absent: records can only be read in order.
   * @throws {UnsupportedError} `unsupported` for a source that can only be read in order, such as a compressed one.
   */
  index?(
    source: ByteSource,
    context: Pick<ContainerContext<Options>, "options" | "limits" | "signal">,
  ): Promise<RecordIndex>;
}

/** Records of a source that can be read by their numbers. */
export interface RecordIndex {
  readonly numRecords: number;
  /**
   * The records with these numbers, in this order, each as a separate block.
   * @throws errors of the source, and {@link RecordError} for damage.
   */
  read(
    recordIndices: Uint32Array,
    options: { readonly signal?: AbortSignal | undefined },
  ): Promise<readonly RecordBlock[]>;
}

/** A place between two records of a source. */
export interface RecordCut {
  /** First byte of the frame of the record after the cut. */
  readonly byteOffset: number;
  /** Index of that record in the source, if known. */
  readonly recordIndex?: number | undefined;
}

/** Context of {@link RecordContainer.cuts}. */
export interface CutContext<Options extends object>
  extends Pick<ContainerContext<Options>, "options" | "limits" | "signal"> {
  readonly partBytes: number;
}

/** A container that can also deliver framed bytes, for decoders with a kernel that handles the framing. */
export interface FramedContainer<Options extends object = object> extends RecordContainer<Options> {
  readonly framing: RecordFraming<Options>;
}

/** Framed bytes of a container, and the options for checking frames. */
export interface RecordFraming<Options extends object> {
  /** Name of the framing, as in {@link FramedSession.framings}. */
  readonly id: string;
  /** Opens nothing before the first `next`. */
  windows(source: ByteSource, context: ContainerContext<Options>): FramedWindows;
  /** Argument of {@link FramedSession.pushFramed}. */
  framedOptions(context: ContainerContext<Options>): FramedOptions;
}

/** Context of {@link RecordContainer.blocks}. */
export interface ContainerContext<Options extends object> {
  readonly options: Options;
  readonly limits: Limits;
  /** The part of the source to read, between two {@link RecordContainer.cuts}. Absent: all of it. */
  readonly part?: RecordPart | undefined;
  /** The first record to read, counted from the start of the part. `detail` is its byte offset, absent for blocks without
   * `endOffset`. */
  readonly from?: Position | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A part of a source, from one cut to another. */
export interface RecordPart {
  readonly start: number;
  /** Absent: the end of the source. */
  readonly end?: number | undefined;
  /** Index of its first record in the source. Absent: unknown, and errors count from the start of the part. */
  readonly firstRecordIndex?: number | undefined;
}

/** A payload: the encoding of a record. */
export interface PayloadDecoder<Options extends object = object> {
  /** `payloadFormat` of the composed format. */
  readonly id: string;
  readonly defaults: Options;
  /** Default: the payload has no column of raw records, and asking for one is `unsupported`. */
  readonly reads?: { readonly rawRecordColumn?: true | undefined } | undefined;
  /**
   * Receives only the payload's options, not those of the composed format.
   * @throws {ArgumentError} `invalid-argument` for an invalid value of an option.
   */
  assertOptions?(options: Options, use: OptionsUse): void;
  /**
   * Freezes a request. Called once per plan.
   * @throws {SchemaError} when records cannot be decoded to the schema, or the schema lacks one of the columns.
   */
  plan(request: PayloadRequest, options: Options): Promise<PayloadPlan>;
}

/** The fields of a {@link ReadRequest} that concern payloads. */
export type PayloadRequest = Pick<
  PlanRequest,
  "columns" | "schema" | "isInferred" | "rawRecordColumn" | "isSample"
> & {
  /** Treatment of columns outside the schema. */
  readonly unlisted: "drop" | "error";
  /** Payloads apply `maxColumns`; containers apply `maxRecordBytes`. */
  readonly limits: Limits;
};

/** The decoding of payloads, fixed for one plan. */
export interface PayloadPlan {
  /** Schema of every batch; absent when batches describe themselves. */
  readonly arrowSchema?: ArrowSchema | undefined;
  /** See {@link ReadPlan.schema}. */
  readonly schema?: Schema | undefined;
  /** True if sessions may skip records. Rows are then matched to records one by one where needed. Default false. */
  readonly skipsRecords?: boolean | undefined;
  /**
   * True if sessions use the index of a record in its file. A file is then cut only where these indices are known. Default
   * false.
   */
  readonly needsRecordIndices?: boolean | undefined;
  createSession(): PayloadSession;
}

/**
 * Fills one batch at a time. After an error, the unfinished batch is dropped and the session stays usable. Errors take
 * file, record and byte offset from the block or window.
 */
export interface PayloadSession {
  readonly numRows: number;
  /** Records skipped by policy so far, over all batches of the session. */
  readonly numSkipped: number;
  /** Consumes records of the block, starting with record `from`, until the batch is full. */
  push(block: RecordBlock, from: number, limits: BatchLimits): PushProgress;
  /** Returns the batch and starts an empty one. */
  finish(): RecordBatch;
}

/** A session that can handle frames itself: framing, checksums and payloads in one pass. */
export interface FramedSession extends PayloadSession {
  /** Ids of the framings that {@link pushFramed} accepts. */
  readonly framings: readonly string[];
  /** Consumes whole records of the window, starting at byte `from`, until the batch is full or no whole record is left. */
  pushFramed(window: FramedWindow, from: number, limits: BatchLimits, options: FramedOptions): PushProgress;
}
