import {
  ColumnPath,
  decodeSchema,
  encodeSchema,
  formatPredicate,
  parsePredicate,
  type Schema,
} from "@tfxio/schema";
import type { DataRequest } from "../reading/data-request.js";
import { badDescription } from "./check-description.js";
import type { RequestDescription } from "./read-description.js";

/** Converts a request to plain JSON. */
export function describeRequest(request: DataRequest): RequestDescription {
  const { columns, schema, filter, sample, ...plain } = request;
  return {
    ...plain,
    columns: columns?.map(({ steps }) => steps),
    schema: schema && toBase64(encodeSchema(schema)),
    filter: filter && formatPredicate(filter),
    sample: sample && { ...sample, by: sample.by?.steps },
  };
}

/** Converts a described request back. @throws {ArgumentError} `invalid-argument` for an invalid schema or filter. */
export function requestOf(description: RequestDescription): DataRequest {
  const { columns, schema, filter, sample, ...plain } = description;
  return {
    ...plain,
    columns: columns?.map((steps) => new ColumnPath(steps)),
    schema: schema === undefined ? undefined : schemaOf(schema),
    filter: filter === undefined ? undefined : parsePredicate(filter),
    sample: sample && { ...sample, by: sample.by && new ColumnPath(sample.by) },
  };
}

function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

function schemaOf(base64: string): Schema {
  try {
    return decodeSchema(fromBase64(base64));
  } catch (cause) {
    throw badDescription("description.request.schema must be an encoded Schema message in base64", cause);
  }
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
