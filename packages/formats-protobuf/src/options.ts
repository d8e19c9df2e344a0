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

/**
 * Options of the protobuf payload and format. `descriptor` and `message` define the message type: see {@link messageType}. All
 * others affect only reading.
 */
export interface ProtobufOptions extends MessageType, DecodeRules {
  /**
   * Type of the lists: `"list"` (default), or `"large"` for LargeList and LargeBinary, as in tfx_bsl. Large offsets are 64-bit,
   * but a batch is still limited to 2 GiB.
   */
  readonly listType: ListType;
  /**
   * Treatment of a record that is not a well-formed message. `"error"` (default) ends the read, `"skip"` drops the record, and
   * `"null"` makes a row in which every column is null except the raw record column. With `"skip"` and `"null"`,
   * {@link ReadProgress.numSkipped} counts the record.
   */
  readonly onMalformed: "error" | "skip" | "null";
  /**
   * If true, a field without presence, such as a plain proto3 scalar, reads as its zero value in every message that lacks it.
   * Default false: it reads as null, like any absent field.
   */
  readonly implicitDefaults: boolean;
  /**
   * Maximum nesting of a message type inside itself. Deeper levels are dropped. Applies wherever all fields of a message are
   * read: without `columns`, or for a path that selects a whole message. Default 0, which rejects recursive types, because each
   * level can double the number of columns.
   */
  readonly maxRecursion: number;
  /**
   * Meaning of a path in `columns` that ends at a message. `"whole"` (default) selects all its fields. `"presence"` selects none:
   * the struct only shows which messages exist, and fields need their own paths.
   */
  readonly messagePaths: "whole" | "presence";
  /**
   * Treatment of repeated occurrences of a singular message field. `"merge"` (default) merges them, as protobuf does. `"last"`
   * keeps only the last one, as struct2tensor does.
   */
  readonly singularMessage: "merge" | "last";
  /**
   * Treatment of several members of a oneof in one message. `"last"` (default) keeps the last one, as protobuf does;
   * `"independent"` keeps all, as struct2tensor does.
   */
  readonly oneof: "last" | "independent";
  /**
   * Value of the column `(full.Name)` for an Any of the type `full.Name` that lacks the field `value`. `"present"` (default) is
   * an empty message, for which protobuf omits `value`. `"absent"` is null, as in struct2tensor.
   */
  readonly anyEmptyValue: "present" | "absent";
}

/** Defaults of {@link ProtobufOptions}. The message type has no default and must be given. */
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

/**
 * Checks the options.
 * @throws {ArgumentError} `invalid-argument`, naming the option. For `"write"`, an option that affects only reading must have its
 *   default value.
 */
export function assertProtobufOptions(options: ProtobufOptions, use: OptionsUse): void {
  assertOptions("protobuf", options, PROTOBUF_RULES);
  if (use === "read") return;
  const given = READ_ONLY.find((name) => options[name] !== PROTOBUF_DEFAULTS[name]);
  if (given !== undefined) throw unusableArgument(given, "is for reading: it has no effect on writing");
}
