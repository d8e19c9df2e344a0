import { type Data, type DataType, type Field, Struct, Type, Vector } from "apache-arrow";

/** Reads the rows of a column, however nested, with arrow-js: bytes as Latin-1 text, int64 as text such as "5n". */
export function plainRows(data: Data): unknown[] {
  const vector = new Vector([data]);
  return Array.from({ length: data.length }, (_, row) => plainCell(data.type, vector.get(row)));
}

function plainCell(type: DataType, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (type instanceof Struct) {
    const row = value as Readonly<Record<string, unknown>>;
    return Object.fromEntries(type.children.map((f: Field) => [f.name, plainCell(f.type, row[f.name])]));
  }
  switch (type.typeId) {
    case Type.List:
    case Type.LargeList:
    case Type.FixedSizeList:
      return plainRows((value as Vector).data[0] as Data);
    case Type.Binary:
    case Type.LargeBinary:
      return new TextDecoder("latin1").decode(value as Uint8Array);
    default:
      return typeof value === "bigint" ? `${value}n` : value;
  }
}
