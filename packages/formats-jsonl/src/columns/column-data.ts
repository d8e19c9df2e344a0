import {
  Bool,
  type Data,
  type DataType,
  Field,
  Float32,
  Float64,
  Int64,
  List,
  makeData,
  Null,
  Struct,
  Utf8,
} from "apache-arrow";
import type { Column } from "./column.js";

// Types without parameters, shared by all batches.
const NULL = new Null();
const BOOL = new Bool();
const INT64 = new Int64();
const FLOAT32 = new Float32();
const FLOAT64 = new Float64();
const UTF8 = new Utf8();

/** Returns the Arrow type of a column's values so far: text is Utf8, numbers are Int64, Float64 or Float32. */
function arrowType(column: Column): DataType {
  switch (column.kind) {
    case "null":
      return NULL;
    case "bool":
      return BOOL;
    case "int":
      return INT64;
    case "float":
      return FLOAT64;
    case "single":
      return FLOAT32;
    case "text":
      return UTF8;
    case "list":
      return new List(new Field("item", arrowType(column.items), true));
    case "struct":
      return new Struct(arrowFields(column));
  }
}

/** Returns the Arrow fields of a struct, all of them nullable. */
export function arrowFields({ fields }: Column): Field[] {
  return fields.present.map(({ name, column }) => new Field(name, arrowType(column!), true));
}

/** Copies the values into Arrow's layout. @param type From {@link arrowType}. */
function columnData(column: Column, type: DataType): Data {
  const { kind, length, numNulls } = column;
  const common = { length, nullCount: numNulls, nullBitmap: validityOf(column) };
  switch (kind) {
    case "null":
      return makeData({ type: NULL, length });
    case "bool":
      return makeData({ type: BOOL, ...common, data: packed(column.bools, length, { isInverted: false }) });
    case "int":
      return makeData({
        type: INT64,
        ...common,
        data: new BigInt64Array(column.doubles.slice(0, length).buffer),
      });
    case "float":
      return makeData({ type: FLOAT64, ...common, data: column.doubles.slice(0, length) });
    case "single":
      return makeData({ type: FLOAT32, ...common, data: column.singles.slice(0, length) });
    case "text": {
      const { bytes, length: numBytes } = column.text;
      const valueOffsets = column.offsets.slice(0, length + 1);
      return makeData({ type: UTF8, ...common, valueOffsets, data: bytes.slice(0, numBytes) });
    }
    case "list": {
      const child = columnData(column.items, (type as List).valueType as DataType);
      return makeData({
        type: type as List,
        ...common,
        valueOffsets: column.offsets.slice(0, length + 1),
        child,
      });
    }
    case "struct":
      return makeData({ type: type as Struct, ...common, children: fieldsData(column, type.children) });
  }
}

/** Copies the columns of a struct, padded with nulls to its length. */
export function fieldsData({ fields, length }: Column, arrow: readonly Field[]): Data[] {
  return fields.present.map(({ column }, index) => {
    if (column!.length < length) column!.appendNulls(length - column!.length);
    return columnData(column!, arrow[index]!.type);
  });
}

/** Returns the number of bytes that {@link columnData} allocates for `length` values. */
function columnByteSize(column: Column, length: number): number {
  const numBitBytes = (length + 7) >> 3;
  const validity = column.numNulls > 0 || column.length < length ? numBitBytes : 0;
  switch (column.kind) {
    case "null":
      return 0;
    case "bool":
      return validity + numBitBytes;
    case "int":
    case "float":
      return validity + 8 * length;
    case "single":
      return validity + 4 * length;
    case "text":
      return validity + 4 * (length + 1) + column.text.length;
    case "list":
      return validity + 4 * (length + 1) + columnByteSize(column.items, column.items.length);
    case "struct":
      return validity + fieldsByteSize(column, length);
  }
}

/** Returns the total size of the columns of a struct, in bytes. */
export function fieldsByteSize({ fields }: Column, length: number): number {
  return fields.present.reduce((total, { column }) => total + columnByteSize(column!, length), 0);
}

/** Returns Arrow's validity bitmap, or undefined if there are no nulls. */
function validityOf({ nullBytes, length, numNulls }: Column): Uint8Array | undefined {
  return numNulls === 0 ? undefined : packed(nullBytes, length, { isInverted: true });
}

/** Packs bytes of 0 and 1 into bits, least significant first. Missing bytes are 0. */
function packed(
  bytes: Uint8Array,
  length: number,
  { isInverted }: { readonly isInverted: boolean },
): Uint8Array {
  const bits = new Uint8Array((length + 7) >> 3);
  const numBytes = Math.min(length, bytes.length);
  for (let at = 0; at < numBytes; at++) bits[at >> 3] = bits[at >> 3]! | (bytes[at]! << (at & 7));
  return isInverted ? bits.map((byte) => ~byte) : bits;
}
