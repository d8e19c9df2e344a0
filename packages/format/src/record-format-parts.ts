import type { Schema } from "@tfxio/schema";
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
import type { Leased } from "@tfxio/wire/kernels";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import type { Limits, PlanRequest } from "./format.js";

/** What options are given for: an option that could not act there is refused. */
export type OptionsUse = "read" | "write";

/** How records are framed in a file. */
export interface RecordContainer<Options extends object = object> {
  /** `containerFormat` of the composed format. */
  readonly id: string;
  readonly extensions: readonly string[];
  readonly defaults: Options;
  /** See {@link FormatSpec.sniff}. */
  sniff?(this: void, head: Uint8Array): boolean;
  /** @throws {ArgumentError} `invalid-argument` for a value that is none of the option's. */
  assertOptions?(options: Options, use: OptionsUse): void;
  /**
   * Whole records of a source in order, from `context.from` on. Ends with the source; a rest that is no whole
   * record is `truncated-record`.
   */
  blocks(source: ByteSource, context: ContainerContext<Options>): AsyncIterable<RecordBlock>;
  /** The same bytes with their frames left on, for a payload decoder whose kernel knows this framing. */
  readonly framing?: RecordFraming<Options> | undefined;
}

/** Framed bytes of a container, and how a kernel shall check the frames. */
export interface RecordFraming<Options extends object> {
  /** Name of the framing, as in {@link PayloadSession.framings}. */
  readonly id: string;
  /** Opens nothing before the first `next`. */
  windows(source: ByteSource, context: ContainerContext<Options>): FramedWindows;
  /** What {@link PayloadSession.pushFramed} is called with. */
  framedOptions(context: ContainerContext<Options>): FramedOptions;
}

/** What a container reads with. */
export interface ContainerContext<Options extends object> {
  readonly options: Options;
  readonly limits: Limits;
  /** The record to begin with; `detail`, its byte offset, is absent when it came from blocks without `footerBytes`. */
  readonly from?: Position | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What a record holds. */
export interface PayloadDecoder<Options extends object = object> {
  /** `payloadFormat` of the composed format. */
  readonly id: string;
  readonly defaults: Options;
  /** @throws {ArgumentError} `invalid-argument` for a value that is none of the option's. */
  assertOptions?(options: Options, use: OptionsUse): void;
  /**
   * Freezes a request; called once for a plan.
   * @throws {SchemaError} when the schema cannot be decoded to, or lacks one of the columns.
   */
  plan(request: PayloadRequest, options: Options): Promise<PayloadPlan>;
  /** A schema for what `batches` hold, for {@link ReadRequest.inferSchema}; absent: the payload cannot be inferred. */
  inferSchema?: ((batches: AsyncIterable<RecordBatch>) => Promise<Schema>) | undefined;
}

/** The parts of a {@link ReadRequest} that concern payloads. */
export type PayloadRequest = Pick<PlanRequest, "columns" | "schema" | "rawRecordColumn" | "kernels"> & {
  /** What a column outside the schema means: `"drop"`, or `"error"` when the schema was inferred and is frozen. */
  readonly unlisted: "drop" | "error";
  /** The batches are only for {@link PayloadDecoder.inferSchema}: options that go by a schema wait for it. */
  readonly isSample?: boolean | undefined;
};

/** A payload decoder with its request frozen. */
export interface PayloadPlan {
  readonly arrowSchema?: ArrowSchema | undefined;
  /** One session for every split being read. */
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
  /** Framings (by id) whose windows {@link pushFramed} takes, in one pass over framing, checksum and payload. */
  readonly framings: readonly string[];
  /**
   * Takes whole records from the window's byte `from` on, until the batch is full or no whole record is left.
   * Required with a framing.
   */
  pushFramed?(window: FramedWindow, from: number, limits: BatchLimits, options: FramedOptions): PushProgress;
  /** Hands out the batch and starts an empty one. */
  finish(): RecordBatch;
  /** {@link finish} for {@link ReadPlan.readLeased}. Absent: batches own their memory there too. */
  finishLeased?(): Leased<RecordBatch>;
}
