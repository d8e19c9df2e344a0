import { type ProtobufOptions, protobufPayload } from "@tfxio/formats-protobuf";

/** How a record is written: serialized, as protobuf text, or as proto JSON. */
export type MessageFormat = "binary" | "text" | "json";

/** How serialized messages are read: the rules of `protobufPayload`, where struct2tensor and protobuf may differ. */
export type MessageRules = Pick<
  ProtobufOptions,
  "onMalformed" | "implicitDefaults" | "singularMessage" | "oneof" | "anyEmptyValue"
>;

/** Every rule, with the defaults of `protobufPayload` where none is given. */
export function resolveRules(given: Partial<MessageRules>): MessageRules {
  const { onMalformed, implicitDefaults, singularMessage, oneof, anyEmptyValue } =
    protobufPayload(given).defaults;
  return { onMalformed, implicitDefaults, singularMessage, oneof, anyEmptyValue };
}
