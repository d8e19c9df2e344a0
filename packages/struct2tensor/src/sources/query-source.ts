import type { Path } from "../path/path.js";
import type { NodeValue } from "../operators/node-value.js";
import type { MessageFormat, MessageRules } from "./message-rules.js";

/** Source of a query's data. Two expressions share a read when they share the source. */
export interface QuerySource {
  readonly kind: "protobuf" | "batch" | "prensor";
  /** Name under which data is handed to `calculate`. */
  readonly name: string;
  /** Data that is bound already. */
  readonly bound?: unknown;
  /** Of serialized messages: their type, and how they are read. A query over them can be saved. */
  readonly messages?: SourceMessages | undefined;
  /** Names of the known fields below a message, for `explain`. */
  fieldNames(message: Path): readonly string[];
  /** Prepares to read the fields at these paths, and nothing else. */
  prepare(needs: SourceNeeds): Promise<SourceReader>;
}

/** Type, encoding and decoding rules of a source's serialized messages. */
export interface SourceMessages {
  /** `FileDescriptorSet` in base64. */
  readonly descriptor: string;
  /** Full name of the type. */
  readonly message: string;
  readonly messageFormat: MessageFormat;
  /** Every rule, also those that were left to their defaults. */
  readonly rules: MessageRules;
}

/** Fields and payloads that a plan reads from a source. */
export interface SourceNeeds {
  /** Every field that some node needs, including messages. Messages only on the way to a field are left out. */
  readonly fields: readonly Path[];
  /** Messages whose serialized form is needed. */
  readonly payloads: readonly Path[];
}

/** Reads one batch after another. */
export interface SourceReader {
  /** @throws {ArgumentError} `invalid-argument` for data that the source cannot read. */
  read(data: unknown): SourceBatch;
}

/** The fields of one batch. */
export interface SourceBatch {
  readonly size: number;
  /** The value at a path that was prepared. */
  field(path: Path): NodeValue;
  /** The payloads of a message whose payloads were prepared. */
  payload(path: Path): NodeValue;
  /** The position of each row's record in the data. Absent: row `i` is record `i`. */
  readonly recordIndices?: Int32Array | undefined;
  /** Records left out by a skip policy. */
  readonly numSkipped: number;
}
