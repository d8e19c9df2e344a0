import { type ProtobufOptions, protobufPayload } from "@tfxio/formats-protobuf";

/** Encoding of a record: serialized, protobuf text, or proto JSON. */
export type MessageFormat = "binary" | "text" | "json";

/** Decoding rules of `protobufPayload` for cases in which struct2tensor and protobuf differ. */
export type MessageRules = Pick<
  ProtobufOptions,
  "onMalformed" | "implicitDefaults" | "singularMessage" | "oneof" | "anyEmptyValue"
>;

/** All rules. Absent ones get the defaults of `protobufPayload`. */
export function resolveRules(given: Partial<MessageRules>): MessageRules {
  const { onMalformed, implicitDefaults, singularMessage, oneof, anyEmptyValue } =
    protobufPayload(given).defaults;
  return { onMalformed, implicitDefaults, singularMessage, oneof, anyEmptyValue };
}
