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

/** A message as vectors write it: the bytes and, optionally, the same message as text. */
export interface MessageJson {
  readonly textproto?: string;
  readonly b64: string;
}

/** Decodes a message. @throws {TypeError} if its text form is a different message. */
function agreed<Desc extends DescMessage>(desc: Desc, b64: string, text: unknown): MessageShape<Desc> {
  const message = fromBinary(desc, bytesOf({ b64 }));
  if (typeof text === "string" && !equals(desc, message, parseMessageText(desc, text))) {
    throw new TypeError(`the textproto and the bytes of a vector are different messages: ${text}`);
  }
  return message;
}

/** The TFMD schema of an input; undefined if the input has none. */
export function schemaOf(input: Readonly<Record<string, unknown>>): Schema | undefined {
  const { schema_b64: encoded, schema_textproto: text } = input;
  if (typeof encoded === "string") return agreed(SchemaSchema, encoded, text);
  return typeof text === "string" ? parseSchemaText(text) : undefined;
}

/** The TFMD schema of an input that needs one. @throws {TypeError} if it has none. */
export function requiredSchema(input: Readonly<Record<string, unknown>>): Schema {
  const schema = schemaOf(input);
  if (schema === undefined) throw new TypeError("the vector has no schema");
  return schema;
}

export function representationOf(json: unknown): TensorRepresentation {
  const { b64, textproto } = json as MessageJson;
  return agreed(TensorRepresentationSchema, b64, textproto);
}

/** Tensor name → representation. */
export function representationsOf(json: unknown): Map<string, TensorRepresentation> {
  const entries = Object.entries(json as Readonly<Record<string, unknown>>);
  return new Map(entries.map(([name, message]) => [name, representationOf(message)]));
}
