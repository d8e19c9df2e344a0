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
 * The schema that `bytes` hold in protobuf's binary format. Unknown fields survive {@link encodeSchema}. Bytes fields are views
 * of `bytes`, so do not modify it.
 * @throws {SchemaError} `schema-invalid`, reason `binary-format`.
 * @throws {ArgumentError} `invalid-argument` unless `bytes` is a Uint8Array.
 */
export function decodeSchema(bytes: Uint8Array): Schema {
  return decodeMessage(SchemaSchema, bytes);
}

/**
 * `schema` in protobuf's binary format.
 * @throws {SchemaError} `schema-invalid`, reason `message-value`.
 */
export function encodeSchema(schema: Schema): Uint8Array {
  return encodeMessage(SchemaSchema, schema);
}

/**
 * The schema that `text`, the content of a `schema.pbtxt` file, describes.
 * @throws {SchemaError} `schema-invalid`, reason `text-format`, with `line` and `column`, both counted from 1.
 * @throws {ArgumentError} `invalid-argument` unless `text` is a string.
 */
export function parseSchemaText(text: string, options: MessageCodecOptions = {}): Schema {
  return parseMessageText(SchemaSchema, text, options);
}

/**
 * `schema` as the content of a `schema.pbtxt` file.
 * @throws {SchemaError} `schema-invalid`, reason `message-value`.
 */
export function formatSchemaText(schema: Schema, options: MessageCodecOptions = {}): string {
  return formatMessageText(SchemaSchema, schema, options);
}

/**
 * The schema that `json` describes in protobuf's JSON form (a parsed value, not a string).
 * @throws {SchemaError} `schema-invalid`, reason `json-format`.
 */
export function schemaFromJson(json: JsonValue, options: MessageCodecOptions = {}): Schema {
  return messageFromJson(SchemaSchema, json, options);
}

/**
 * `schema` in protobuf's JSON form.
 * @throws {SchemaError} `schema-invalid`, reason `message-value`.
 */
export function schemaToJson(schema: Schema, options: MessageCodecOptions = {}): JsonValue {
  return messageToJson(SchemaSchema, schema, options);
}
