import {
  Binary,
  type Data,
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
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Uint8,
  Uint16,
  Uint32,
  Uint64,
  Utf8,
  Bool,
} from "apache-arrow";

/** An Arrow type in the notation of the conformance vectors, plus `fixed_size_list`. */
export type TypeJson =
  | string
  | { list: TypeJson }
  | { large_list: TypeJson }
  | { fixed_size_list: TypeJson; size: number }
  | { struct: readonly { name: string; type: TypeJson }[] };

/** A column in the notation of the conformance vectors. `slice` is the offset and length of a slice of the built column. */
export interface ColumnJson {
  name: string;
  type: TypeJson;
  values: readonly unknown[];
  slice?: readonly [number, number];
}

const flatTypes: Record<string, () => DataType> = {
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
  bool: () => new Bool(),
  binary: () => new Binary(),
  large_binary: () => new LargeBinary(),
  string: () => new Utf8(),
  large_string: () => new LargeUtf8(),
};

function arrowType(json: TypeJson): DataType {
  if (typeof json === "string") {
    const create = flatTypes[json];
    if (create === undefined) throw new Error(`no such type: ${json}`);
    return create();
  }
  if ("list" in json) return new List(new Field("item", arrowType(json.list), true));
  if ("large_list" in json) return new LargeList(new Field("item", arrowType(json.large_list), true));
  if ("fixed_size_list" in json) {
    return new FixedSizeList(json.size, new Field("item", arrowType(json.fixed_size_list), true));
  }
  return new Struct(json.struct.map(({ name, type }) => new Field(name, arrowType(type), true)));
}

/** Builds a column from plain values, without hidden values under null rows. */
export function arrowData(json: TypeJson, values: readonly unknown[]): Data {
  const type = arrowType(json);
  const length = values.length;
  const nullCount = values.filter((value) => value === null).length;
  const nullBitmap = bitmap(values);
  const nulls = { nullCount, nullBitmap };
  if (typeof json === "string") {
    if (/binary|string/.test(json)) {
      const bytes = values.map((value) => bytesOf(value));
      const offsets = splits(bytes.map((each) => each.length));
      const valueOffsets = json.startsWith("large") ? BigInt64Array.from(offsets, BigInt) : offsets;
      const data = Buffer.concat(bytes);
      return makeData({
        type: type as Utf8,
        length,
        ...nulls,
        valueOffsets: valueOffsets as Int32Array,
        data,
      });
    }
    const data = new (type.ArrayType as Float32ArrayConstructor)(length);
    values.forEach((value, index) => {
      data[index] = (json.endsWith("int64") ? BigInt(String(value ?? 0)) : Number(value)) as number;
    });
    return makeData({ type: type as Float32, length, ...nulls, data });
  }
  if ("struct" in json) {
    const children = json.struct.map((field) =>
      arrowData(
        field.type,
        values.map((value) => (value as Record<string, unknown> | null)?.[field.name] ?? null),
      ),
    );
    return makeData({ type: type as Struct, length, ...nulls, children });
  }
  const lists = values as (readonly unknown[] | null)[];
  if ("fixed_size_list" in json) {
    const filler = Array<null>(json.size).fill(null);
    const child = arrowData(
      json.fixed_size_list,
      lists.flatMap((list) => list ?? filler),
    );
    return makeData({ type: type as FixedSizeList, length, ...nulls, child });
  }
  const offsets = splits(lists.map((list) => list?.length ?? 0));
  const flat = lists.flatMap((list) => list ?? []);
  if ("large_list" in json) {
    const child = arrowData(json.large_list, flat);
    const valueOffsets = BigInt64Array.from(offsets, BigInt);
    return makeData({ type: type as LargeList, length, ...nulls, valueOffsets, child });
  }
  return makeData({
    type: type as List,
    length,
    ...nulls,
    valueOffsets: offsets,
    child: arrowData(json.list, flat),
  });
}

export function arrowSchema(columns: readonly { name: string; type: TypeJson }[]): Schema {
  return new Schema(columns.map(({ name, type }) => new Field(name, arrowType(type), true)));
}

export function recordBatch(columns: readonly ColumnJson[]): RecordBatch {
  const children = columns.map(({ type, values, slice }) => {
    const data = arrowData(type, values);
    return slice === undefined ? data : data.slice(slice[0], slice[1]);
  });
  return batchOf(
    columns.map(({ name }) => name),
    children,
  );
}

/** Creates a batch from columns. */
export function batchOf(names: readonly string[], children: readonly Data[]): RecordBatch {
  const fields = names.map((name, index) => new Field(name, (children[index] as Data).type, true));
  const data = makeData({
    type: new Struct(fields),
    length: children[0]?.length ?? 0,
    nullCount: 0,
    children: [...children],
  });
  return new RecordBatch(new Schema(fields), data);
}

/** Returns a validity bitmap, with the least significant bit first, and 1 for valid. */
export function bitmap(values: readonly unknown[]): Uint8Array {
  const bits = new Uint8Array(Math.ceil(values.length / 8));
  values.forEach((value, index) => {
    if (value !== null) bits[index >> 3] = (bits[index >> 3] as number) | (1 << (index & 7));
  });
  return bits;
}

export function bytesOf(value: unknown): Uint8Array {
  if (typeof value === "string") return Buffer.from(value);
  return Buffer.from((value as { b64: string } | null)?.b64 ?? "", "base64");
}

function splits(lengths: readonly number[]): Int32Array {
  const offsets = new Int32Array(lengths.length + 1);
  lengths.forEach((length, index) => {
    offsets[index + 1] = (offsets[index] as number) + length;
  });
  return offsets;
}
