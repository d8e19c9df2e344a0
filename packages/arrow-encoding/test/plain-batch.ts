import { type Data, DataType, type RecordBatch, type Struct, Vector } from "apache-arrow";

/** Returns an Arrow type in the notation of the conformance vectors. */
export function typeOf(type: DataType): unknown {
  if (DataType.isLargeList(type)) return { large_list: typeOf(type.valueType) };
  if (DataType.isList(type)) return { list: typeOf(type.valueType) };
  if (DataType.isStruct(type)) {
    return { struct: type.children.map((field) => ({ name: field.name, type: typeOf(field.type) })) };
  }
  if (DataType.isLargeBinary(type)) return "large_binary";
  if (DataType.isBinary(type)) return "binary";
  return String(type).toLowerCase();
}

/** Reads the rows of a column with arrow-js: lists as arrays, int64 as decimal strings, bytes as `{ b64 }`. */
export function rowsOf(data: Data): unknown[] {
  if (DataType.isStruct(data.type)) return structRows(data, data.type);
  return Array.from(new Vector([data]), plain);
}

/** Reads structs as objects. Throws if a struct is null. */
function structRows({ children, length, nullCount }: Data, type: Struct): unknown[] {
  if (nullCount > 0) throw new TypeError("a struct is null");
  const fields = type.children.map(({ name }, index) => [name, rowsOf(children[index]!)] as const);
  return Array.from({ length }, (_, row) =>
    Object.fromEntries(fields.map(([name, rows]) => [name, rows[row]])),
  );
}

/** Reads the rows of each column, keyed by column name. */
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
