import type { Schema as ArrowSchema } from "apache-arrow";
import type { Path } from "../path/path.js";
import type { NodeValue } from "../operators/node-value.js";
import type { MessageFormat, MessageRules } from "./message-rules.js";

/** A source of a query's data. Within a plan, expressions that share a source object read it only once. */
export interface QuerySource {
  readonly kind: "protobuf" | "batch" | "prensor";
  /** Name of the source in the inputs of `calculate`. */
  readonly name: string;
  /** The bound data. Absent if data is passed to each run. */
  readonly bound?: unknown;
  /** For protobuf records: their type, encoding and decoding rules. Only queries over such a source can be saved. */
  readonly messages?: SourceMessages | undefined;
  /** For a source of record batches: their schema. */
  readonly arrowSchema?: ArrowSchema | undefined;
  /** Returns the names of the known fields directly below a message, for `explain`. */
  fieldNames(message: Path): readonly string[];
  /**
   * Creates a reader of only the fields and payloads in `needs`.
   * @throws {ArgumentError} `invalid-argument`, for example with the reason `map-key` if a map key does not fit the key type of
   *   the map.
   */
  prepare(needs: SourceNeeds): Promise<SourceReader>;
}

/** The messages of a source: their type, their encoding, and the rules for decoding them. */
export interface SourceMessages {
  /** `FileDescriptorSet` in base64. */
  readonly descriptor: string;
  /** Full name of the message type. */
  readonly message: string;
  readonly messageFormat: MessageFormat;
  /** All rules, with defaults filled in. */
  readonly rules: MessageRules;
}

/** Fields and payloads that a plan reads from a source. */
export interface SourceNeeds {
  /** The leaf and message fields that are nodes of the plan. They may be listed without the messages that contain them. */
  readonly fields: readonly Path[];
  /** Message fields that are needed in serialized form. */
  readonly payloads: readonly Path[];
}

/** Reads the batches of one source. Batches do not depend on each other. */
export interface SourceReader {
  /** Opens one batch. @throws {ArgumentError} `invalid-argument` for data that the source cannot read. */
  read(data: unknown): SourceBatch;
}

/** The fields of one batch. */
export interface SourceBatch {
  /** Number of rows. */
  readonly size: number;
  /** Returns the value at a path that was passed to `prepare` as a field. */
  field(path: Path): NodeValue;
  /** Returns the serialized messages at a path that was passed to `prepare` as a payload. */
  payload(path: Path): NodeValue;
  /** The index of each row's record in the data. If absent, row `i` is record `i`. */
  readonly recordIndices?: Int32Array | undefined;
  /** Number of malformed records that were skipped. */
  readonly numSkipped: number;
}
