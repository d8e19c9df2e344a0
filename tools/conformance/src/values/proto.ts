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

/** A message as vectors write it: the bytes, and the same as text for readers, and for our parser of text. */
export interface MessageJson {
  readonly textproto?: string;
  readonly b64: string;
}

/** The message, which both forms have to be. */
function agreed<Desc extends DescMessage>(desc: Desc, b64: string, text: unknown): MessageShape<Desc> {
  const message = fromBinary(desc, bytesOf({ b64 }));
  if (typeof text === "string" && !equals(desc, message, parseMessageText(desc, text))) {
    throw new TypeError(`a vector has two messages where one is meant: ${text}`);
  }
  return message;
}

/** The TFMD schema of an input: undefined if the vector declares that there is no schema. */
export function schemaOf(input: Readonly<Record<string, unknown>>): Schema | undefined {
  const { schema_b64: encoded, schema_textproto: text } = input;
  if (typeof encoded === "string") return agreed(SchemaSchema, encoded, text);
  return typeof text === "string" ? parseSchemaText(text) : undefined;
}

/** A schema that the vector must have. */
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
