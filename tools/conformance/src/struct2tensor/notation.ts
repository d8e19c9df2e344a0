import { type DataType, type Field, type RecordBatch, Type } from "apache-arrow";
import type { ColumnJson } from "./message-case.js";

// Converts batches to the notation of the test vectors. 64-bit integers are text. Bytes are text if they are UTF-8, otherwise
// base64.

const TYPE_NAMES: Readonly<Record<string, string>> = { LargeBinary: "Binary" };

/** Returns columns in the notation of the test vectors, which does not show whether offsets have 32 or 64 bits. */
export function columnsNotation(fields: readonly Field[]): ColumnJson[] {
  return fields.map(({ name, type }) => {
    const [item] = childrenOf(type);
    if (item === undefined) throw new Error(`column ${name} must be a list, found ${type}`);
    const isStruct = item.type.typeId === Type.Struct;
    const text = String(item.type);
    return {
      name,
      list: isStruct ? { struct: columnsNotation(childrenOf(item.type)) } : (TYPE_NAMES[text] ?? text),
    };
  });
}

/** Returns the rows of a batch in the notation of the test vectors. */
export function rowsNotation(batch: RecordBatch): object[] {
  return Array.from({ length: batch.numRows }, (_, row) =>
    Object.fromEntries(
      batch.schema.fields.map(({ name }, index) => [name, valueNotation(batch.getChildAt(index)?.get(row))]),
    ),
  );
}

/** Returns a value of a batch in the notation of the test vectors. */
export function valueNotation(value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "number") return numberNotation(value);
  if (value instanceof Uint8Array) return bytesNotation(value);
  if (typeof value === "object" && "get" in value && "length" in value) {
    const vector = value as { readonly length: number; get(index: number): unknown };
    return Array.from({ length: vector.length }, (_, index) => valueNotation(vector.get(index)));
  }
  const struct = value as Iterable<readonly [string, unknown]>;
  return Object.fromEntries([...struct].map(([name, field]) => [name, valueNotation(field)]));
}

function numberNotation(value: number): number | string {
  if (Object.is(value, -0)) return "-0";
  return Number.isFinite(value) ? value : String(value);
}

function bytesNotation(value: Uint8Array): unknown {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(value);
  } catch {
    return { b64: Buffer.from(value).toString("base64") };
  }
}

function childrenOf(type: DataType): readonly Field[] {
  return (type as DataType & { readonly children?: readonly Field[] }).children ?? [];
}
