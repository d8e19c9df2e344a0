import type { Path } from "../path/path.js";
import type { NodeValue } from "../operators/node-value.js";
import type { MessageFormat, MessageRules } from "./message-rules.js";

/** Source of a query's data. Two expressions share a read when they share the source. */
export interface QuerySource {
  readonly kind: "protobuf" | "batch" | "prensor";
  /** The name of the source in the inputs of `calculate`. */
  readonly name: string;
  /** Bound data. Absent if it is passed on each run. */
  readonly bound?: unknown;
  /** For serialized messages: their type and decoding rules. A query over them can be saved. */
  readonly messages?: SourceMessages | undefined;
  /** Names of the known fields below a message, for `explain`. */
  fieldNames(message: Path): readonly string[];
  /** Creates a reader of the fields at these paths only. */
  prepare(needs: SourceNeeds): Promise<SourceReader>;
}

/** Type, encoding and decoding rules of a source's serialized messages. */
export interface SourceMessages {
  /** `FileDescriptorSet` in base64. */
  readonly descriptor: string;
  /** Full name of the type. */
  readonly message: string;
  readonly messageFormat: MessageFormat;
  /** All rules, with defaults filled in. */
  readonly rules: MessageRules;
}

/** Fields and payloads that a plan reads from a source. */
export interface SourceNeeds {
  /** Every field that a node needs, including messages. Messages that only contain such fields are left out. */
  readonly fields: readonly Path[];
  /** Messages that are needed in serialized form. */
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
  /** The serialized messages at a path that was prepared. */
  payload(path: Path): NodeValue;
  /** The position of each row's record in the data. Absent: row `i` is record `i`. */
  readonly recordIndices?: Int32Array | undefined;
  /** Records left out by a skip policy. */
  readonly numSkipped: number;
}
