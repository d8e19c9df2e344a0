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

/** What options are given for: an option that could not act there is refused. */
export type OptionsUse = "read" | "write";

/** How records are framed in a file. */
export interface RecordContainer<Options extends object = object> {
  /** `containerFormat` of the composed format. */
  readonly id: string;
  readonly extensions: readonly string[];
  readonly defaults: Options;
  /** See {@link FormatSpec.sniff}. */
  sniff?(this: void, head: Uint8Array): SniffResult;
  /**
   * Gets the container's options alone, whatever else the composed format has.
   * @throws {ArgumentError} `invalid-argument` for a value that the option cannot have.
   */
  assertOptions?(options: Options, use: OptionsUse): void;
  /**
   * Whole records of a source in order, from `context.from` on. Ends with the source; bytes left over that are not a
   * whole record are `truncated-record`.
   */
  blocks(source: ByteSource, context: ContainerContext<Options>): AsyncIterable<RecordBlock>;
  /**
   * Where a source can be cut into parts of about `partBytes` bytes, in order; empty for one that cannot be cut, such as a
   * compressed one. {@link blocks} then reads such parts. Absent: a source is one split.
   * @throws errors of the source.
   */
  cuts?(source: ByteSource, context: CutContext<Options>): Promise<readonly RecordCut[]>;
}

/** A place between two records of a source. */
export interface RecordCut {
  /** First byte of the frame of the record behind it. */
  readonly byteOffset: number;
  /** Position of that record in the source, where it is known. */
  readonly recordIndex?: number | undefined;
}

/** What a container looks for cuts with. */
export interface CutContext<Options extends object>
  extends Pick<ContainerContext<Options>, "options" | "limits" | "signal"> {
  readonly partBytes: number;
}

/** A container that also gives its bytes with the frames left on, for decoders whose kernel knows the framing. */
export interface FramedContainer<Options extends object = object> extends RecordContainer<Options> {
  readonly framing: RecordFraming<Options>;
}

/** Framed bytes of a container, and how a kernel checks the frames. */
export interface RecordFraming<Options extends object> {
  /** Name of the framing, as in {@link FramedSession.framings}. */
  readonly id: string;
  /** Opens nothing before the first `next`. */
  windows(source: ByteSource, context: ContainerContext<Options>): FramedWindows;
  /** What {@link FramedSession.pushFramed} is called with. */
  framedOptions(context: ContainerContext<Options>): FramedOptions;
}

/** What a container reads with. */
export interface ContainerContext<Options extends object> {
  readonly options: Options;
  readonly limits: Limits;
  /** The part of the source to read, between two {@link RecordContainer.cuts}. Absent: all of it. */
  readonly part?: RecordPart | undefined;
  /** The record to begin with, counted from the start of the part; `detail`, its byte offset, is absent when it came from blocks without `endOffset`. */
  readonly from?: Position | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A part of a source, from one cut to another. */
export interface RecordPart {
  readonly start: number;
  /** Absent: the end of the source. */
  readonly end?: number | undefined;
  /** Position of its first record in the source. Absent: not known, and errors count from the start of the part. */
  readonly firstRecordIndex?: number | undefined;
}

/** What a record holds. */
export interface PayloadDecoder<Options extends object = object> {
  /** `payloadFormat` of the composed format. */
  readonly id: string;
  readonly defaults: Options;
  /** Default: the payload has no column of raw records, and asking for one is `unsupported`. */
  readonly reads?: { readonly rawRecordColumn?: true | undefined } | undefined;
  /**
   * Gets the payload's options alone, whatever else the composed format has.
   * @throws {ArgumentError} `invalid-argument` for a value that the option cannot have.
   */
  assertOptions?(options: Options, use: OptionsUse): void;
  /**
   * Freezes a request; called once for a plan.
   * @throws {SchemaError} when the schema cannot be decoded to, or lacks one of the columns.
   */
  plan(request: PayloadRequest, options: Options): Promise<PayloadPlan>;
}

/** The parts of a {@link ReadRequest} that concern payloads. */
export type PayloadRequest = Pick<
  PlanRequest,
  "columns" | "schema" | "isInferred" | "rawRecordColumn" | "isSample"
> & {
  /** What a column outside the schema means. */
  readonly unlisted: "drop" | "error";
  /** The payload's part of them is `maxColumns`; containers bound records. */
  readonly limits: Limits;
};

/** What one plan decodes payloads to. */
export interface PayloadPlan {
  /** Schema of every batch; absent when batches describe themselves. */
  readonly arrowSchema?: ArrowSchema | undefined;
  /** See {@link ReadPlan.schema}. */
  readonly schema?: Schema | undefined;
  /** Sessions may leave records out; default false. Rows are then matched to records one by one where that matters. */
  readonly skipsRecords?: boolean | undefined;
  /**
   * Sessions look at the numbers of records in their file. Parts of a file are then only made where these are known. Default
   * false.
   */
  readonly needsRecordIndices?: boolean | undefined;
  createSession(): PayloadSession;
}

/**
 * Fills one batch after the other. After an error the batch in the making is dropped and the session is usable.
 * Errors name file, record and byte offset from the block or window.
 */
export interface PayloadSession {
  readonly numRows: number;
  /** Records left out so far by a skip policy, over all batches of the session. */
  readonly numSkipped: number;
  /** Takes records of the block from record `from` on, until the batch is full. */
  push(block: RecordBlock, from: number, limits: BatchLimits): PushProgress;
  /** Hands out the batch and starts an empty one. */
  finish(): RecordBatch;
}

/** A session that does the framing of some containers itself: framing, checksums and payloads in one pass. */
export interface FramedSession extends PayloadSession {
  /** Ids of the framings that {@link pushFramed} takes. */
  readonly framings: readonly string[];
  /** Takes whole records from the window's byte `from` on, until the batch is full or no whole record is left. */
  pushFramed(window: FramedWindow, from: number, limits: BatchLimits, options: FramedOptions): PushProgress;
}
