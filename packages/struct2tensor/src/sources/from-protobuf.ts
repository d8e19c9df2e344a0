import type { MessageType } from "@tfxio/formats-protobuf";
import {
  aBoolean,
  aList,
  aName,
  assertArgument,
  assertOptions,
  aUint8Array,
  membersOf,
  oneOf,
  type OptionRules,
  rule,
} from "@tfxio/wire/checks";
import { base64Encode } from "@bufbuild/protobuf/wire";
import { Expression } from "../expression/expression.js";
import type { MessageFormat, MessageRules } from "./message-rules.js";
import { protobufSource } from "./protobuf-source.js";
import { rootOf } from "./source-type.js";

/** Options of {@link fromProto}. */
export interface FromProtoOptions extends Partial<MessageRules> {
  /**
   * Encoding of the records: `"binary"` (default), `"text"` for the protobuf text format, or `"json"` for proto JSON. Text and
   * JSON must contain all `required` fields. They are slow, because they are converted record by record. `onMalformed` also
   * applies to records that are not valid text or JSON.
   */
  readonly messageFormat?: MessageFormat | undefined;
  /** Name of the source in {@link QueryPlan.calculate} and {@link QueryPlan.sourcePaths}. Default `"records"`. */
  readonly name?: string | undefined;
}

const aMessageType = rule("a message type, such as the result of parseProto", (value) => {
  const { descriptor, message } = membersOf(value);
  return typeof descriptor === "string" && typeof message === "string";
});

const aListOfRecords = { ...aList, expected: "a list of records" };

const RULES: OptionRules<FromProtoOptions> = {
  messageFormat: oneOf("binary", "text", "json"),
  name: aName,
  onMalformed: oneOf("error", "skip", "null"),
  implicitDefaults: aBoolean,
  singularMessage: oneOf("merge", "last"),
  oneof: oneOf("last", "independent"),
  anyEmptyValue: oneOf("present", "absent"),
};

/**
 * Creates an expression over protobuf messages of one type. Records are passed to each run, as `{ records: [...] }`. A query
 * decodes only the fields that it needs. In addition to its fields, a message has the steps `map[key]` for the value of a map
 * entry and `(full.Name)` for an extension. In a `google.protobuf.Any`, `(full.Name)` is the contained message, if it has that
 * type.
 * @throws {SchemaError} `schema-invalid` (`descriptor`).
 * @throws {ArgumentError} `invalid-argument` (`unknown-message`).
 * @see struct2tensor `create_expression_from_proto`
 */
export function protoPlaceholder(type: MessageType, options: FromProtoOptions = {}): Expression {
  return createExpression(type, options);
}

/** Like {@link protoPlaceholder}, over these records. Borrows the records, and reads them on every run. */
export function fromProto(
  records: readonly (Uint8Array | string)[],
  type: MessageType,
  options: FromProtoOptions = {},
): Expression {
  assertArgument("records", records, aListOfRecords);
  return createExpression(type, options, records);
}

/**
 * Like {@link fromProto}, with a serialized `FileDescriptorSet`. In the set, each file must follow its imports.
 * @param message full name of the message type.
 * @see struct2tensor `create_expression_from_file_descriptor_set`
 */
export function fromFileDescriptorSet(
  records: readonly (Uint8Array | string)[],
  message: string,
  fileDescriptorSet: Uint8Array,
  options: FromProtoOptions = {},
): Expression {
  assertArgument("fileDescriptorSet", fileDescriptorSet, aUint8Array);
  return fromProto(records, { descriptor: base64Encode(fileDescriptorSet), message }, options);
}

function createExpression(
  type: MessageType,
  options: FromProtoOptions,
  bound?: readonly unknown[],
): Expression {
  assertArgument("type", type, aMessageType);
  assertOptions("fromProto", options, RULES);
  const { messageFormat = "binary", name = "records", ...rules } = options;
  const typed = protobufSource(type, { ...rules, messageFormat, name, bound });
  return new Expression(rootOf(typed.source, typed.type));
}
