import type { JsonValue } from "@bufbuild/protobuf";
import { type Schema, SchemaSchema } from "./generated/tensorflow_metadata/proto/v0/schema_pb.js";
import {
  decodeMessage,
  encodeMessage,
  formatMessageText,
  type MessageCodecOptions,
  messageFromJson,
  messageToJson,
  parseMessageText,
} from "./message-codec.js";

/**
 * Decodes a schema from protobuf's binary format. Unknown fields are kept, and {@link encodeSchema} writes them back.
 * Bytes fields and unknown fields are views of `bytes`, so do not modify `bytes` while you use the schema.
 * @throws {SchemaError} `schema-invalid`, reason `binary-format`.
 * @throws {ArgumentError} `invalid-argument` unless `bytes` is a Uint8Array.
 */
export function decodeSchema(bytes: Uint8Array): Schema {
  return decodeMessage(SchemaSchema, bytes);
}

/**
 * Encodes `schema` in protobuf's binary format, including its unknown fields.
 * @throws {SchemaError} `schema-invalid`, reason `message-value`, if a field has a value that its type cannot hold.
 */
export function encodeSchema(schema: Schema): Uint8Array {
  return encodeMessage(SchemaSchema, schema);
}

/**
 * Parses a schema from protobuf's text format, the format of a `schema.pbtxt` file.
 * @throws {SchemaError} `schema-invalid`, reason `text-format`, with `line` and `column`, both counted from 1.
 * @throws {ArgumentError} `invalid-argument` unless `text` is a string.
 */
export function parseSchemaText(text: string, options: MessageCodecOptions = {}): Schema {
  return parseMessageText(SchemaSchema, text, options);
}

/**
 * Formats `schema` in protobuf's text format, the format of a `schema.pbtxt` file. Unknown fields are lost.
 * @throws {SchemaError} `schema-invalid`, reason `message-value`, if a field has a value that its type cannot hold.
 */
export function formatSchemaText(schema: Schema, options: MessageCodecOptions = {}): string {
  return formatMessageText(SchemaSchema, schema, options);
}

/**
 * Converts a schema from protobuf's JSON form. `json` is a parsed value, not a string.
 * @throws {SchemaError} `schema-invalid`, reason `json-format`, also for an unknown field.
 */
export function schemaFromJson(json: JsonValue, options: MessageCodecOptions = {}): Schema {
  return messageFromJson(SchemaSchema, json, options);
}

/**
 * Converts `schema` to protobuf's JSON form. Unknown fields are lost.
 * @throws {SchemaError} `schema-invalid`, reason `message-value`, if a field has a value that its type cannot hold, or for an
 *   `Any` whose type is not registered.
 */
export function schemaToJson(schema: Schema, options: MessageCodecOptions = {}): JsonValue {
  return messageToJson(SchemaSchema, schema, options);
}
