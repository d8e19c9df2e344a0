import { fromBinary } from "@bufbuild/protobuf";
import {
  decodeSchema,
  parseSchemaText,
  type Schema,
  type TensorRepresentation,
  TensorRepresentationSchema,
} from "@tfxio/schema";
import { bytesOf } from "./scalar.js";

/** A message as vectors write it; the bytes are what counts, the text is for readers. */
export interface MessageJson {
  readonly textproto?: string;
  readonly b64: string;
}

/** The TFMD schema of an input: undefined where the vector says that there is none. */
export function schemaOf(input: Readonly<Record<string, unknown>>): Schema | undefined {
  const encoded = input["schema_b64"];
  if (typeof encoded === "string") return decodeSchema(bytesOf({ b64: encoded }));
  const text = input["schema_textproto"];
  return typeof text === "string" ? parseSchemaText(text) : undefined;
}

/** A schema that the vector must have. */
export function requiredSchema(input: Readonly<Record<string, unknown>>): Schema {
  const schema = schemaOf(input);
  if (schema === undefined) throw new TypeError("the vector has no schema");
  return schema;
}

export function representationOf(json: unknown): TensorRepresentation {
  return fromBinary(TensorRepresentationSchema, bytesOf({ b64: (json as MessageJson).b64 }));
}

/** Tensor name → representation. */
export function representationsOf(json: unknown): Map<string, TensorRepresentation> {
  const entries = Object.entries(json as Readonly<Record<string, unknown>>);
  return new Map(entries.map(([name, message]) => [name, representationOf(message)]));
}
