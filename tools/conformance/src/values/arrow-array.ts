import {
  type Data,
  type DataType,
  Field,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Type,
  Vector,
} from "apache-arrow";
import { type FieldJson, formatArrowType, parseArrowType, type TypeJson } from "./arrow-type.js";
import { halfOf } from "./float16.js";
import { bytesJson, bytesOf, canonicalScalar, numberOf } from "./scalar.js";

/**
 * An array in the notation of the test vectors. `slice` is an optional `[offset, length]`, which is applied to the built array.
 */
export interface ArrayJson {
  readonly type: TypeJson;
  readonly values: readonly unknown[];
  readonly slice?: readonly [number, number];
}

/**
 * A record batch in the notation of the test vectors. By default, `num_rows` is the length of the first column, or 0 without
 * columns.
 */
export interface RecordBatchJson {
  readonly columns: readonly (ArrayJson & FieldJson)[];
  readonly num_rows?: number;
}

type NumberArrayConstructor = new (length: number) => { [index: number]: number };

const numberArrays: Readonly<Record<string, NumberArrayConstructor>> = {
  int8: Int8Array,
  int16: Int16Array,
  int32: Int32Array,
  uint8: Uint8Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  float32: Float32Array,
  float64: Float64Array,
};

/** Returns the validity bitmap of the values, least significant bit first; absent if no value is null. */
function validity(values: readonly unknown[]): { nullBitmap?: Uint8Array; nullCount: number } {
  const nullCount = values.filter((value) => value === null).length;
  if (nullCount === 0) return { nullCount };
  const nullBitmap = new Uint8Array(Math.ceil(values.length / 8));
  values.forEach((value, index) => {
    if (value !== null) nullBitmap[index >> 3] = (nullBitmap[index >> 3] ?? 0) | (1 << (index & 7));
  });
  return { nullBitmap, nullCount };
}

/** Returns the offsets of consecutive lists or byte strings, given their lengths. `isLarge` selects 64-bit offsets. */
function offsetsOf(lengths: readonly number[], isLarge: boolean): Int32Array | BigInt64Array {
  const offsets = new Int32Array(lengths.length + 1);
  lengths.forEach((length, index) => {
    offsets[index + 1] = (offsets[index] ?? 0) + length;
  });
  return isLarge ? BigInt64Array.from(offsets, BigInt) : offsets;
}

/** Calls `makeData` with a type that is known only at run time. The overloads of `makeData` accept only static types. */
function make(props: object): Data {
  return makeData(props as never);
}

/** Builds an array of `values`. A null value becomes a null in the array. */
export function buildData(json: TypeJson, values: readonly unknown[]): Data {
  const type = parseArrowType(json);
  const common = { type, length: values.length, ...validity(values) };
  if (typeof json !== "string") {
    if ("struct" in json) {
      const children = json.struct.map(({ name, type: inner }) =>
        buildData(
          inner,
          values.map((value) => (value === null ? null : ((value as Record<string, unknown>)[name] ?? null))),
        ),
      );
      return make({ ...common, children });
    }
    const lists = values.map((value) => (value === null ? [] : (value as unknown[])));
    const isLarge = "large_list" in json;
    return make({
      ...common,
      valueOffsets: offsetsOf(
        lists.map((list) => list.length),
        isLarge,
      ),
      child: buildData(isLarge ? json.large_list : (json as { list: TypeJson }).list, lists.flat(1)),
    });
  }
  switch (json) {
    case "null":
      return make({ type, length: values.length });
    case "bool": {
      const { nullBitmap: data } = validity(values.map((value) => (value === true ? 1 : null)));
      return make({ ...common, data: data ?? new Uint8Array(Math.ceil(values.length / 8)).fill(0xff) });
    }
    case "int64":
    case "timestamp[s]":
      return make({ ...common, data: BigInt64Array.from(values, (value) => BigInt((value ?? 0) as string)) });
    case "uint64":
      return make({
        ...common,
        data: BigUint64Array.from(values, (value) => BigInt((value ?? 0) as string)),
      });
    case "binary":
    case "large_binary":
    case "string":
    case "large_string": {
      const parts = values.map((value) => (value === null ? new Uint8Array(0) : bytesOf(value)));
      const offsets = offsetsOf(
        parts.map((part) => part.length),
        json.startsWith("large_"),
      );
      const data = new Uint8Array(Number(offsets.at(-1)));
      parts.forEach((part, index) => data.set(part, Number(offsets[index])));
      return make({ ...common, valueOffsets: offsets, data });
    }
    case "float16":
      return make({
        ...common,
        data: Uint16Array.from(values, (value) => (value === null ? 0 : halfOf(numberOf(value)))),
      });
    default: {
      const NumberArray = numberArrays[json];
      if (NumberArray === undefined) throw new TypeError(`cannot build an array of "${json}"`);
      const data = new NumberArray(values.length);
      values.forEach((value, index) => {
        data[index] = value === null ? 0 : numberOf(value);
      });
      return make({ ...common, data });
    }
  }
}

/** Builds an array, and slices it if its JSON has a `slice`. */
export function buildArray({ type, values, slice }: ArrayJson): Data {
  const data = buildData(type, values);
  return slice === undefined ? data : data.slice(slice[0], slice[1]);
}

/** Builds an Arrow schema. Every field is nullable. */
export function buildArrowSchema(fields: readonly FieldJson[]): Schema {
  return new Schema(fields.map(({ name, type }) => new Field(name, parseArrowType(type), true)));
}

/** Builds a record batch. Each column with a `slice` is sliced. */
export function buildRecordBatch(json: RecordBatchJson): RecordBatch {
  const schema = buildArrowSchema(json.columns);
  const children = json.columns.map(buildArray);
  const length = json.num_rows ?? children[0]?.length ?? 0;
  return new RecordBatch(
    schema,
    make({ type: new Struct(schema.fields), length, nullCount: 0, children }) as never,
  );
}

/** Returns a value of an Arrow vector in the notation of {@link canonicalValue}. */
function plainValue(type: DataType, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  switch (type.typeId) {
    case Type.List:
    case Type.LargeList:
    case Type.FixedSizeList:
      return plainValues(value as Vector);
    case Type.Struct: {
      const row = value as Record<string, unknown>;
      return Object.fromEntries(type.children.map((f: Field) => [f.name, plainValue(f.type, row[f.name])]));
    }
    case Type.Binary:
    case Type.LargeBinary:
      return bytesJson(value as Uint8Array);
    case Type.Int:
      return typeof value === "bigint" ? String(value) : value;
    default:
      return value;
  }
}

/** Returns the values of an Arrow vector in the notation of {@link canonicalValue}. */
export function plainValues(vector: Vector): unknown[] {
  return Array.from({ length: vector.length }, (_unused, row) => plainValue(vector.type, vector.get(row)));
}

/** Returns a value of a test vector in the notation for comparison. Missing members of a struct become null. */
function canonicalValue(type: TypeJson, value: unknown): unknown {
  if (value === null) return null;
  if (typeof type === "string") return canonicalScalar(type, value);
  if ("struct" in type) {
    const row = value as Record<string, unknown>;
    const unknown = Object.keys(row).find((name) => !type.struct.some((f) => f.name === name));
    if (unknown !== undefined)
      throw new TypeError(
        `the type in the test vector must have every member of the value, but lacks "${unknown}"`,
      );
    return Object.fromEntries(type.struct.map((f) => [f.name, canonicalValue(f.type, row[f.name] ?? null)]));
  }
  const item = "list" in type ? type.list : type.large_list;
  return (value as unknown[]).map((inner) => canonicalValue(item, inner));
}

/** An array in the notation for comparison. */
export interface PlainArray {
  readonly type: unknown;
  readonly values: readonly unknown[];
}

/** Converts an actual array to the notation for comparison. `asType` may remove type differences that do not matter. */
export function plainArray(data: Data, asType: (type: TypeJson) => TypeJson): PlainArray {
  const type = asType(formatArrowType(data.type) as TypeJson);
  return { type, values: plainValues(new Vector([data])) };
}

/** Converts an expected array to the notation for comparison. */
export function expectedArray({ type, values }: ArrayJson, asType: (type: TypeJson) => TypeJson): PlainArray {
  return { type: asType(type), values: values.map((value) => canonicalValue(type, value)) };
}

/** A record batch in the notation for comparison. The order of columns matters. */
export interface PlainBatch {
  readonly num_rows: number;
  readonly columns: readonly {
    readonly name: string;
    readonly type: unknown;
    readonly values: readonly unknown[];
  }[];
}

/** Converts an actual record batch to the notation for comparison. */
export function plainBatch(batch: RecordBatch, asType: (type: TypeJson) => TypeJson): PlainBatch {
  return {
    num_rows: batch.numRows,
    columns: batch.schema.fields.map((field, index) => ({
      name: field.name,
      type: asType(formatArrowType(field.type) as TypeJson),
      values: plainValues(batch.getChildAt(index) as Vector),
    })),
  };
}

/** Converts an expected record batch to the notation for comparison. */
export function expectedBatch(json: RecordBatchJson, asType: (type: TypeJson) => TypeJson): PlainBatch {
  const columns = json.columns.map(({ name, type, values }) => ({
    name,
    type: asType(type),
    values: values.map((value) => canonicalValue(type, value)),
  }));
  return { num_rows: json.num_rows ?? columns[0]?.values.length ?? 0, columns };
}
