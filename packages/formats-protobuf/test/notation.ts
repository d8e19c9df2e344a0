import { type DataType, type Field, type RecordBatch, type Schema, Type } from "apache-arrow";
import type { VectorField } from "./vector-cases.js";

// Batches in the notation of the vectors: 64-bit integers as text, bytes as text where they are UTF-8, else base64.

const TYPE_NAMES: Readonly<Record<string, string>> = { LargeBinary: "Binary" };

/** The columns of a schema, lists of either size alike. */
export function schemaNotation({ fields }: Schema | { readonly fields: readonly Field[] }): VectorField[] {
  return fields.map(({ name, type }) => {
    const item = (type as DataType & { readonly children: readonly Field[] }).children[0]!.type;
    const isStruct = item.typeId === Type.Struct;
    const text = String(item);
    return {
      name,
      list: isStruct
        ? { struct: schemaNotation({ fields: (item as DataType & { children: Field[] }).children }) }
        : (TYPE_NAMES[text] ?? text),
    };
  });
}

/** The rows of a batch. */
export function rowNotation(batch: RecordBatch): object[] {
  return Array.from({ length: batch.numRows }, (_, row) =>
    Object.fromEntries(
      batch.schema.fields.map(({ name }, index) => [name, plain(batch.getChildAt(index)!.get(row))]),
    ),
  );
}

function plain(value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "number") return number(value);
  if (value instanceof Uint8Array) return bytes(value);
  if (typeof value === "object" && "get" in value && "length" in value) {
    const vector = value as { readonly length: number; get(index: number): unknown };
    return Array.from({ length: vector.length }, (_, index) => plain(vector.get(index)));
  }
  const struct = value as Iterable<[string, unknown]>;
  return Object.fromEntries([...struct].map(([name, field]) => [name, plain(field)]));
}

function number(value: number): number | string {
  return Number.isFinite(value) && !Object.is(value, -0)
    ? value
    : Object.is(value, -0)
      ? "-0"
      : String(value);
}

function bytes(value: Uint8Array): unknown {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(value);
  } catch {
    return { b64: Buffer.from(value).toString("base64") };
  }
}
