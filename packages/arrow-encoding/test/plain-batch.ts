import { type Data, DataType, type RecordBatch, Vector } from "apache-arrow";

/** An Arrow type in the notation of the conformance vectors. */
export function typeOf(type: DataType): unknown {
  if (DataType.isLargeList(type)) return { large_list: typeOf(type.valueType) };
  if (DataType.isList(type)) return { list: typeOf(type.valueType) };
  if (DataType.isLargeBinary(type)) return "large_binary";
  if (DataType.isBinary(type)) return "binary";
  return String(type).toLowerCase();
}

/** The rows of a column: lists as arrays, int64 as decimal strings, bytes as `{ b64 }`. Read through arrow-js. */
export function rowsOf(data: Data): unknown[] {
  return Array.from(new Vector([data]), plain);
}

/** A whole batch by column name. */
export function columnsOf(batch: RecordBatch): Record<string, unknown[]> {
  return Object.fromEntries(
    batch.schema.fields.map((field, index) => [field.name, rowsOf(batch.data.children[index]!)]),
  );
}

function plain(value: unknown): unknown {
  if (value === null) return null;
  if (typeof value === "bigint") return String(value);
  if (ArrayBuffer.isView(value)) {
    return { b64: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64") };
  }
  if (typeof value === "object" && Symbol.iterator in value)
    return Array.from(value as Iterable<unknown>, plain);
  return value;
}
