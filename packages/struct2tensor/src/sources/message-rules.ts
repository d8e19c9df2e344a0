import { type ProtobufOptions, protobufPayload } from "@tfxio/formats-protobuf";

/** Encoding of a record: serialized, protobuf text, or proto JSON. */
export type MessageFormat = "binary" | "text" | "json";

/** The decoding rules of `protobufPayload` that queries accept. */
export type MessageRules = Pick<
  ProtobufOptions,
  "onMalformed" | "implicitDefaults" | "singularMessage" | "oneof" | "anyEmptyValue"
>;

/** Returns all rules. Missing rules get the defaults of `protobufPayload`. */
export function resolveRules(given: Partial<MessageRules>): MessageRules {
  const { onMalformed, implicitDefaults, singularMessage, oneof, anyEmptyValue } =
    protobufPayload(given).defaults;
  return { onMalformed, implicitDefaults, singularMessage, oneof, anyEmptyValue };
}
