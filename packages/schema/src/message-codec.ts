import {
  create,
  createRegistry,
  type DescMessage,
  fromBinary,
  fromJson,
  type JsonValue,
  type MessageInitShape,
  type MessageShape,
  type Registry,
  toBinary,
  toJson,
} from "@bufbuild/protobuf";
import { fromText, toText } from "@bufbuild/protobuf/txtpb";
import { SchemaError } from "@tfxio/wire";
import { anObject, aString, assertArgument, aUint8Array } from "@tfxio/wire/checks";
import { file_tensorflow_metadata_proto_v0_derived_feature } from "./generated/tensorflow_metadata/proto/v0/derived_feature_pb.js";
import { file_tensorflow_metadata_proto_v0_path } from "./generated/tensorflow_metadata/proto/v0/path_pb.js";
import { file_tensorflow_metadata_proto_v0_schema } from "./generated/tensorflow_metadata/proto/v0/schema_pb.js";
import { locateTextError } from "./text-position.js";
import { assertDescriptor } from "./argument-rules.js";

/** Options for reading and writing the text and JSON forms of a message. */
export interface MessageCodecOptions {
  /**
   * Message types that a `google.protobuf.Any` may contain, in addition to those of TFMD schemas. `Annotation.extra_metadata`
   * contains `Any` values. The forms `[type.googleapis.com/my.Type] { … }` in text and `"@type"` in JSON require that the type is
   * registered. Build a registry with `createRegistry` of `@bufbuild/protobuf`. Default: only the types of TFMD schemas.
   */
  readonly registry?: Registry | undefined;
}

let tfmdTypes: Registry | undefined;

/**
 * Returns a registry of the types of TFMD schemas and those in `options.registry`. TFMD's types are registered on first use,
 * because registering them takes time.
 */
function registryFor(options: MessageCodecOptions): Registry {
  tfmdTypes ??= createRegistry(
    file_tensorflow_metadata_proto_v0_path,
    file_tensorflow_metadata_proto_v0_derived_feature,
    file_tensorflow_metadata_proto_v0_schema,
  );
  return options.registry === undefined ? tfmdTypes : createRegistry(tfmdTypes, options.registry);
}

/** Creates a message with the fields of `init`. Nested messages may be plain objects. */
export function createMessage<Desc extends DescMessage>(
  descriptor: Desc,
  init?: MessageInitShape<Desc>,
): MessageShape<Desc> {
  assertDescriptor(descriptor);
  return create(descriptor, init);
}

/**
 * Decodes a message from protobuf's binary format. Unknown fields are kept, and {@link encodeMessage} writes them back.
 * Bytes fields and unknown fields are views of `bytes`, so do not modify `bytes` while you use the message.
 * @throws {SchemaError} `schema-invalid`, reason `binary-format`.
 * @throws {ArgumentError} `invalid-argument` unless `bytes` is a Uint8Array.
 */
export function decodeMessage<Desc extends DescMessage>(
  descriptor: Desc,
  bytes: Uint8Array,
): MessageShape<Desc> {
  assertDescriptor(descriptor);
  assertArgument("bytes", bytes, aUint8Array);
  try {
    return fromBinary(descriptor, bytes);
  } catch (cause) {
    throw invalid(descriptor, "binary-format", `Bytes of length ${bytes.length} are not`, cause);
  }
}

/**
 * Encodes `message` in protobuf's binary format, including its unknown fields.
 * @throws {SchemaError} `schema-invalid`, reason `message-value`, if a field has a value that its type cannot hold.
 */
export function encodeMessage<Desc extends DescMessage>(
  descriptor: Desc,
  message: MessageShape<Desc>,
): Uint8Array {
  assertDescriptor(descriptor);
  try {
    return toBinary(descriptor, message);
  } catch (cause) {
    throw invalid(descriptor, "message-value", "The message cannot be written as", cause);
  }
}

/**
 * Converts a message from protobuf's JSON form. `json` is a parsed value, not a string.
 * @throws {SchemaError} `schema-invalid`, reason `json-format`, also for an unknown field.
 */
export function messageFromJson<Desc extends DescMessage>(
  descriptor: Desc,
  json: JsonValue,
  options: MessageCodecOptions = {},
): MessageShape<Desc> {
  assertDescriptor(descriptor);
  assertArgument("options", options, anObject);
  try {
    return fromJson(descriptor, json, { registry: registryFor(options) });
  } catch (cause) {
    throw invalid(descriptor, "json-format", "The JSON value is not", cause);
  }
}

/**
 * Converts `message` to protobuf's JSON form, with lowerCamelCase names, 64-bit integers as strings and bytes as base64. Unknown
 * fields are lost.
 * @throws {SchemaError} `schema-invalid`, reason `message-value`, also for an `Any` whose type is not registered.
 */
export function messageToJson<Desc extends DescMessage>(
  descriptor: Desc,
  message: MessageShape<Desc>,
  options: MessageCodecOptions = {},
): JsonValue {
  assertDescriptor(descriptor);
  assertArgument("options", options, anObject);
  try {
    return toJson(descriptor, message, { registry: registryFor(options) });
  } catch (cause) {
    throw invalid(descriptor, "message-value", "The message cannot be written as JSON for", cause);
  }
}

/**
 * Parses a message from protobuf's text format, the format of `.pbtxt` files.
 * @throws {SchemaError} `schema-invalid`, reason `text-format`, with the `line` and `column` of the offending token, or of the
 *   innermost open bracket if the text ends too early. Both start at 1; columns count code points. An unknown field or enum value
 *   is an error, and so is an expanded `Any` of an unregistered type.
 * @throws {ArgumentError} `invalid-argument` unless `text` is a string.
 */
export function parseMessageText<Desc extends DescMessage>(
  descriptor: Desc,
  text: string,
  options: MessageCodecOptions = {},
): MessageShape<Desc> {
  assertDescriptor(descriptor);
  assertArgument("options", options, anObject);
  assertArgument("text", text, aString);
  const read = (part: string): MessageShape<Desc> =>
    fromText(descriptor, part, { registry: registryFor(options) });
  try {
    return read(text);
  } catch (cause) {
    const { line, column } = locateTextError(text, read);
    throw new SchemaError(
      "schema-invalid",
      `Line ${line}, column ${column}: the text is not a ${descriptor.typeName}: ${messageOf(cause)}`,
      { reason: "text-format", line, column, cause },
    );
  }
}

/**
 * Formats `message` in protobuf's text format, indented by two spaces for each level. Unknown fields are lost. An
 * `Any` is expanded if its type is registered, otherwise printed as `type_url` and `value`.
 * @throws {SchemaError} `schema-invalid`, reason `message-value`, if a field has a value that its type cannot hold.
 */
export function formatMessageText<Desc extends DescMessage>(
  descriptor: Desc,
  message: MessageShape<Desc>,
  options: MessageCodecOptions = {},
): string {
  assertDescriptor(descriptor);
  assertArgument("options", options, anObject);
  try {
    return toText(descriptor, message, { registry: registryFor(options) });
  } catch {
    // An `Any` whose bytes do not match its type can still be printed as `type_url` and `value`, without the registry.
  }
  try {
    return toText(descriptor, message);
  } catch (cause) {
    throw invalid(descriptor, "message-value", "The message cannot be written as the text of", cause);
  }
}

/** Creates a `schema-invalid` error. @param found The start of the error message, before the type's name. */
function invalid(descriptor: DescMessage, reason: string, found: string, cause: unknown): SchemaError {
  return new SchemaError("schema-invalid", `${found} a ${descriptor.typeName}: ${messageOf(cause)}`, {
    reason,
    cause,
  });
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
