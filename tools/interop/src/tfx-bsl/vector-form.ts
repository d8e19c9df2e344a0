import { expectedArray, expectedBatch } from "@tfxio-tools/conformance/values/arrow-array";
import { canonicalTensor } from "@tfxio-tools/conformance/values/tensor";
import { decodeMessage, messageToJson, SchemaSchema, TensorRepresentationSchema } from "@tfxio/schema";
import type { Json } from "./question.js";

type Type = Parameters<typeof expectedArray>[0]["type"];

const asIs = (type: Type): Type => type;

/**
 * Converts an expectation, or an answer in the same notation, to a form for comparison. Numbers are rounded to their type,
 * messages are parsed, and an unordered list of arrays becomes an object with their paths as keys. Members that are only for
 * human readers are omitted.
 */
export function canonicalVector(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(canonicalVector);
  if (!isObject(json)) return json;
  if ("flat_values" in json || ("kind" in json && "values" in json)) return canonicalTensor(json as never);
  if ("columns" in json) return expectedBatch(json as never, asIs);
  if ("type" in json && "values" in json) return { ...names(json), ...expectedArray(json as never, asIs) };
  if ("compare" in json && "arrays_any_order" in json) return valuesAlone(json);
  const entries = Object.entries(json).filter(([name]) => !isForReading(name));
  return Object.fromEntries(entries.map(([name, value]) => [name, canonicalMember(name, value)]));
}

/** Converts a member of a test vector to the form that its name determines. */
function canonicalMember(name: string, value: unknown): unknown {
  switch (name) {
    case "tensor_representations":
      return isObject(value) ? mapped(value, representation) : value;
    case "schema_b64":
      return messageToJson(SchemaSchema, decodeMessage(SchemaSchema, fromBase64(value)));
    case "arrays_any_order":
      return Object.fromEntries(
        (value as readonly { path: string[]; array: unknown }[]).map(({ path, array }) => [
          path.join("."),
          canonicalVector(array),
        ]),
      );
    default:
      return canonicalVector(value);
  }
}

function representation(json: unknown): unknown {
  const bytes = fromBase64((json as { readonly b64: string }).b64);
  return messageToJson(TensorRepresentationSchema, decodeMessage(TensorRepresentationSchema, bytes));
}

function fromBase64(base64: unknown): Uint8Array {
  return new Uint8Array(Buffer.from(String(base64), "base64"));
}

function isForReading(name: string): boolean {
  return name.endsWith("_textproto") || name === "compare";
}

function isObject(json: unknown): json is Json {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}

/** Returns the values of arrays by path, for cases that do not compare types. */
function valuesAlone({ arrays_any_order: arrays }: Json): unknown {
  const paths = canonicalMember("arrays_any_order", arrays) as Readonly<Record<string, Json>>;
  return mapped(paths, (array) => (array as Json)["values"]);
}

/** Returns an object with the name of a column. It is empty for an array that is not a column. */
function names({ name }: Json): Json {
  return name === undefined ? {} : { name };
}

function mapped(record: Json, f: (value: unknown) => unknown): Json {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, f(value)]));
}
