import type { OptionsUse } from "@tfxio/format";
import {
  aBoolean,
  aName,
  anInteger,
  assertOptions,
  oneOf,
  type OptionRules,
  required,
  unusableArgument,
} from "@tfxio/wire/checks";
import type { MessageType } from "./message-type.js";
import type { DecodeRules } from "./plan/compilation.js";
import type { ListType } from "./plan/scalar-types.js";

/** How messages become columns. `descriptor` and `message` say which they are: see {@link messageType}. */
export interface ProtobufOptions extends MessageType, DecodeRules {
  /** Type of the lists: `"list"` (default), or `"large"`, LargeList and LargeBinary as tfx_bsl has them. */
  readonly listType: ListType;
  /**
   * What a record that is no well-formed message means: `"error"` (default) ends the read; `"skip"` leaves it out, `"null"`
   * makes it a row in which every column is null. Both count it in {@link ReadProgress.numSkipped}.
   */
  readonly onMalformed: "error" | "skip" | "null";
  /**
   * Gives a field without presence, as proto3 scalars are by default, its zero where its message exists and lacks it. Default
   * `false`: it is null, as any field that is not on the wire.
   */
  readonly implicitDefaults: boolean;
  /**
   * How often a message type may contain itself where no `columns` are asked for; what is deeper is left out. Default 0, which
   * refuses such types, since each level doubles the columns or worse.
   */
  readonly maxRecursion: number;
  /**
   * What a path in `columns` that ends at a message stands for: `"whole"` (default), all its fields; or `"presence"`, no
   * field, a struct that only tells which messages there are. Fields of it may be asked for by their own paths.
   */
  readonly messagePaths: "whole" | "presence";
  /**
   * A message field that comes twice: `"merge"` (default), as protobuf has it, or `"last"`, as struct2tensor keeps only the
   * last one.
   */
  readonly singularMessage: "merge" | "last";
  /**
   * Two members of a oneof: the `"last"` (default) counts, as protobuf has it; for struct2tensor they are `"independent"`.
   */
  readonly oneof: "last" | "independent";
  /**
   * What the column of an Any's type is if the Any has no `value`: `"present"` (default), a message without fields, which is what
   * protobuf writes so; or `"absent"`, null, as for struct2tensor.
   */
  readonly anyEmptyValue: "present" | "absent";
}

/** Defaults of {@link ProtobufOptions}; the type has none, and is refused until it is named. */
export const PROTOBUF_DEFAULTS: ProtobufOptions = {
  descriptor: "",
  message: "",
  listType: "list",
  onMalformed: "error",
  implicitDefaults: false,
  maxRecursion: 0,
  messagePaths: "whole",
  singularMessage: "merge",
  oneof: "last",
  anyEmptyValue: "present",
};

const PROTOBUF_RULES: OptionRules<ProtobufOptions> = {
  descriptor: required(aName),
  message: required(aName),
  listType: oneOf("list", "large"),
  onMalformed: oneOf("error", "skip", "null"),
  implicitDefaults: aBoolean,
  maxRecursion: anInteger(0),
  messagePaths: oneOf("whole", "presence"),
  singularMessage: oneOf("merge", "last"),
  oneof: oneOf("last", "independent"),
  anyEmptyValue: oneOf("present", "absent"),
};

/** Options that say how bytes are read, and nothing about the messages. */
const READ_ONLY = [
  "listType",
  "onMalformed",
  "implicitDefaults",
  "maxRecursion",
  "messagePaths",
  "singularMessage",
  "oneof",
  "anyEmptyValue",
] as const satisfies readonly (keyof ProtobufOptions)[];

/** @throws {ArgumentError} `invalid-argument` naming the option; also for one that could not act in this use. */
export function assertProtobufOptions(options: ProtobufOptions, use: OptionsUse): void {
  assertOptions("protobuf", options, PROTOBUF_RULES);
  if (use === "read") return;
  const given = READ_ONLY.find((name) => options[name] !== PROTOBUF_DEFAULTS[name]);
  if (given !== undefined) throw unusableArgument(given, "is for reading: it has no effect on writing");
}
