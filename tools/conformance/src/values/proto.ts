import { type DescMessage, equals, fromBinary, type MessageShape } from "@bufbuild/protobuf";
import {
  parseMessageText,
  parseSchemaText,
  type Schema,
  SchemaSchema,
  type TensorRepresentation,
  TensorRepresentationSchema,
} from "@tfxio/schema";
import { bytesOf } from "./scalar.js";

/** A message in the notation of the test vectors: its bytes in base64 and, optionally, its text format. */
export interface MessageJson {
  readonly textproto?: string;
  readonly b64: string;
}

/** Decodes a message. @throws {TypeError} if `text` is given and is a different message. */
function agreed<Desc extends DescMessage>(desc: Desc, b64: string, text: unknown): MessageShape<Desc> {
  const message = fromBinary(desc, bytesOf({ b64 }));
  if (typeof text === "string" && !equals(desc, message, parseMessageText(desc, text))) {
    throw new TypeError(`the textproto and the bytes of a test vector are different messages: ${text}`);
  }
  return message;
}

/** Returns the TFMD schema of an input, or undefined if the input has no schema. */
export function schemaOf(input: Readonly<Record<string, unknown>>): Schema | undefined {
  const { schema_b64: encoded, schema_textproto: text } = input;
  if (typeof encoded === "string") return agreed(SchemaSchema, encoded, text);
  return typeof text === "string" ? parseSchemaText(text) : undefined;
}

/** Returns the TFMD schema of an input. @throws {TypeError} if the input has no schema. */
export function requiredSchema(input: Readonly<Record<string, unknown>>): Schema {
  const schema = schemaOf(input);
  if (schema === undefined) throw new TypeError("the test vector has no schema");
  return schema;
}

/** Decodes a tensor representation. */
export function representationOf(json: unknown): TensorRepresentation {
  const { b64, textproto } = json as MessageJson;
  return agreed(TensorRepresentationSchema, b64, textproto);
}

/** Decodes tensor representations, by tensor name. */
export function representationsOf(json: unknown): Map<string, TensorRepresentation> {
  const entries = Object.entries(json as Readonly<Record<string, unknown>>);
  return new Map(entries.map(([name, message]) => [name, representationOf(message)]));
}
