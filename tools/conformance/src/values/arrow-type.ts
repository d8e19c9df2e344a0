import {
  Binary,
  Bool,
  type DataType,
  Field,
  FixedSizeList,
  Float16,
  Float32,
  Float64,
  Int8,
  Int16,
  Int32,
  Int64,
  LargeBinary,
  LargeList,
  LargeUtf8,
  List,
  Null,
  Struct,
  TimestampSecond,
  Type,
  Uint8,
  Uint16,
  Uint32,
  Uint64,
  Utf8,
} from "apache-arrow";

/** An Arrow type in the notation of the test vectors. A string is the name of a type without children. */
export type TypeJson =
  | string
  | { readonly list: TypeJson }
  | { readonly large_list: TypeJson }
  | { readonly struct: readonly FieldJson[] };

/** A name and a type, for a field of a struct or for a column of a schema. */
export interface FieldJson {
  readonly name: string;
  readonly type: TypeJson;
}

const scalars: Readonly<Record<string, () => DataType>> = {
  null: () => new Null(),
  bool: () => new Bool(),
  int8: () => new Int8(),
  int16: () => new Int16(),
  int32: () => new Int32(),
  int64: () => new Int64(),
  uint8: () => new Uint8(),
  uint16: () => new Uint16(),
  uint32: () => new Uint32(),
  uint64: () => new Uint64(),
  float16: () => new Float16(),
  float32: () => new Float32(),
  float64: () => new Float64(),
  binary: () => new Binary(),
  large_binary: () => new LargeBinary(),
  string: () => new Utf8(),
  large_string: () => new LargeUtf8(),
  "timestamp[s]": () => new TimestampSecond(),
};

/**
 * Converts a type from the notation of the test vectors. The child of a list is a nullable field `item`, as in Arrow's builders.
 * @throws {TypeError} for an unknown name.
 */
export function parseArrowType(json: TypeJson): DataType {
  if (typeof json === "string") {
    const scalar = scalars[json];
    if (scalar === undefined) throw new TypeError(`unknown Arrow type "${json}" in a test vector`);
    return scalar();
  }
  if ("list" in json) return new List(new Field("item", parseArrowType(json.list), true));
  if ("large_list" in json) return new LargeList(new Field("item", parseArrowType(json.large_list), true));
  return new Struct(json.struct.map(({ name, type }) => new Field(name, parseArrowType(type), true)));
}

function scalarName(type: DataType): string {
  switch (type.typeId) {
    case Type.Utf8:
      return "string";
    case Type.LargeUtf8:
      return "large_string";
    case Type.LargeBinary:
      return "large_binary";
    default:
      return type.toString().toLowerCase();
  }
}

/**
 * Converts a type to the notation of the test vectors. A fixed-size list, which the notation lacks, becomes `fixed_size_list`.
 */
export function formatArrowType(type: DataType): TypeJson | { readonly fixed_size_list: TypeJson } {
  const item = (): TypeJson => formatArrowType((type.children[0] as Field).type) as TypeJson;
  if (type instanceof FixedSizeList) return { fixed_size_list: item() };
  switch (type.typeId) {
    case Type.List:
      return { list: item() };
    case Type.LargeList:
      return { large_list: item() };
    case Type.Struct:
      return {
        struct: type.children.map(({ name, type: inner }) => ({
          name,
          type: formatArrowType(inner) as TypeJson,
        })),
      };
    default:
      return scalarName(type);
  }
}

/** Replaces 64-bit offsets with 32-bit offsets at every level of a type, for cases in which the width does not matter. */
export function withoutLarge(json: TypeJson): TypeJson {
  if (typeof json === "string") return json.replace(/^large_/, "");
  if ("list" in json) return { list: withoutLarge(json.list) };
  if ("large_list" in json) return { list: withoutLarge(json.large_list) };
  return { struct: json.struct.map(({ name, type }) => ({ name, type: withoutLarge(type) })) };
}
