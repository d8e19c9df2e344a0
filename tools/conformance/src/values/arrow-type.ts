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

/** An Arrow type as vectors write it. */
export type TypeJson =
  | string
  | { readonly list: TypeJson }
  | { readonly large_list: TypeJson }
  | { readonly struct: readonly FieldJson[] };

/** A named type: a struct's field, or a column without values. */
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

/** Builds the type. Children of lists are named `item`, as Arrow's builders name them. */
export function parseArrowType(json: TypeJson): DataType {
  if (typeof json === "string") {
    const scalar = scalars[json];
    if (scalar === undefined) throw new TypeError(`unknown Arrow type "${json}" in a vector`);
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

/** Writes a type as vectors do. Vectors have no fixed-size lists; one is written as `fixed_size_list`. */
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

/** The type with 32-bit offsets in place of 64-bit ones. Most cases do not care which width an array has. */
export function withoutLarge(json: TypeJson): TypeJson {
  if (typeof json === "string") return json.replace(/^large_/, "");
  if ("list" in json) return { list: withoutLarge(json.list) };
  if ("large_list" in json) return { list: withoutLarge(json.large_list) };
  return { struct: json.struct.map(({ name, type }) => ({ name, type: withoutLarge(type) })) };
}
