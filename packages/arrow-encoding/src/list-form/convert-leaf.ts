import { ConversionError } from "@tfxio/wire";
import { type Data, DataType, makeData, type Vector } from "apache-arrow";
import { BytesColumn } from "../column/column-access-bytes.js";
import { columnElements, nullMask } from "../column/column-access.js";
import type { NumberArray } from "../column/column-access-values.js";
import { malformedColumn } from "../column/column-access-offsets.js";
import { gatherData } from "../gather/gather-rows.js";
import { bitmapOf, type Validity } from "../column/make-list.js";
import { nullColumn } from "../column/null-column.js";
import { leafValues } from "./leaf-values.js";

/** The column and row of a value, for error messages. */
export interface Place {
  readonly columnPath: string;
  /**
   * Returns the number of the row that contains the value at `index`. The result is negative if no row contains it, as for an
   * unused dictionary entry.
   */
  readonly rowOf: (index: number) => number;
}

/**
 * Converts values to `target`, which is their list-form type, except that integers may also keep their type. Null stays null.
 * Borrows values that need no conversion, such as int64, uint64, float32, float64, bytes and text. Dictionary entries are
 * converted only once.
 * @throws {ConversionError} `out-of-range` (`int64`) if `target` is int64 and an unsigned integer exceeds it.
 */
export function convertLeaf(data: Data, target: DataType, place: Place): Data {
  if (DataType.isDictionary(data.type)) return decodeDictionary(data, target, place);
  const { type, length } = data;
  if (DataType.isNull(type)) return data;
  const values = leafValues(columnElements(data));
  const common = { type: target, length, ...validityOf(data) };
  if (values instanceof BytesColumn) {
    return makeData({ ...common, valueOffsets: values.offsets, data: values.data } as never);
  }
  const isInt64 = DataType.isInt(target) && target.bitWidth === 64 && target.isSigned;
  return makeData({ ...common, data: isInt64 ? toInt64(values, data, place) : values } as never);
}

type NarrowArray = Int8Array | Int16Array | Int32Array | Uint8Array | Uint16Array | Uint32Array;

function toInt64(values: NumberArray, data: Data, place: Place): BigInt64Array {
  switch (values[Symbol.toStringTag]) {
    case "BigInt64Array":
      return values as BigInt64Array;
    case "BigUint64Array":
      return asSigned(values as BigUint64Array, data, place);
    default:
      return widened(values as NarrowArray);
  }
}

/**
 * Widens integers to int64. Writes 32-bit halves, because a bigint per value takes several times as long. Arrow buffers are
 * little-endian.
 */
function widened(values: NarrowArray): BigInt64Array {
  const wide = new BigInt64Array(values.length);
  const halves = new Int32Array(wide.buffer);
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    halves[2 * i] = value;
    halves[2 * i + 1] = value < 0 ? -1 : 0;
  }
  return wide;
}

/**
 * Views uint64 values as int64. Throws for the first value of at least 2^63, but ignores nulls and values that no row contains.
 */
function asSigned(values: BigUint64Array, data: Data, place: Place): BigInt64Array {
  const { buffer, byteOffset, length } = values;
  const halves = new Int32Array(buffer, byteOffset, 2 * length);
  const isNull = nullMask(columnElements(data));
  for (let i = 0; i < length; i++) {
    if ((halves[2 * i + 1] as number) >= 0 || isNull?.[i] === 1) continue;
    const row = place.rowOf(i);
    if (row < 0) continue;
    throw new ConversionError(
      "out-of-range",
      `An integer of a list column must fit int64, found ${values[i]} in column "${place.columnPath}", row ${row}.`,
      { reason: "int64", columnPath: place.columnPath, row },
    );
  }
  return new BigInt64Array(buffer, byteOffset, length);
}

/** Converts the entries of a dictionary once, and copies the entry of each row. A row is null if its key or its entry is null. */
function decodeDictionary(data: Data, target: DataType, place: Place): Data {
  const { length } = data;
  const keys = data.values as ArrayLike<number | bigint>;
  const isNull = nullMask(columnElements(data)) ?? new Uint8Array(length);
  let rows: ReadonlyMap<number, number> | undefined;
  const entries = entriesOf(data.dictionary, target, {
    ...place,
    rowOf(entry) {
      rows ??= firstRows(keys, isNull);
      const row = rows.get(entry);
      return row === undefined ? -1 : place.rowOf(row);
    },
  });
  const start = new Uint32Array(length);
  let nullCount = 0;
  for (let row = 0; row < length; row++) {
    const key = isNull[row] === 1 ? 0 : Number(keys[row]);
    if (isNull[row] !== 1 && !(key >= 0 && key < entries.length)) {
      throw malformedColumn(data.type, `key ${key} is outside the dictionary of ${entries.length} values`);
    }
    start[row] = key;
    nullCount += isNull[row] as number;
  }
  if (nullCount === length) return nullColumn(target, length);
  const end = start.map((key) => key + 1);
  const decoded = gatherData(
    target,
    [withValidity(entries, { nullCount: 0 })],
    { count: length, source: new Uint32Array(length), start, end },
    place.columnPath,
  );
  return nullCount === 0
    ? decoded
    : withValidity(decoded, { nullCount, nullBitmap: bitmapOf(length, (row) => isNull[row] === 0) });
}

/** Maps each used dictionary entry to the first row that uses it. */
function firstRows(keys: ArrayLike<number | bigint>, isNull: Uint8Array): ReadonlyMap<number, number> {
  const rows = new Map<number, number>();
  for (let row = isNull.length - 1; row >= 0; row--) if (isNull[row] !== 1) rows.set(Number(keys[row]), row);
  return rows;
}

/** Converts the chunks of a dictionary and joins them. */
function entriesOf(dictionary: Vector | undefined, target: DataType, place: Place): Data {
  let first = 0;
  const chunks = (dictionary?.data ?? []).map((chunk: Data) => {
    const start = first;
    first += chunk.length;
    return convertLeaf(chunk, target, { ...place, rowOf: (entry) => place.rowOf(start + entry) });
  });
  if (chunks.length === 1) return chunks[0] as Data;
  return gatherData(
    target,
    chunks,
    {
      count: chunks.length,
      source: Uint32Array.from(chunks, (_, index) => index),
      start: new Uint32Array(chunks.length),
      end: Uint32Array.from(chunks, ({ length }) => length),
    },
    place.columnPath,
  );
}

/**
 * Returns a column that shares the values of `data` but has the given validity. All buffers of `data` must begin with its first
 * value.
 */
function withValidity(data: Data, { nullCount, nullBitmap }: Validity): Data {
  // The order of Arrow's `BufferType`: offsets, data, validity, type ids.
  const buffers = [data.valueOffsets, data.values, nullBitmap, data.typeIds];
  return data.clone(data.type, 0, data.length, nullCount, buffers as never);
}

/** Returns the null count and the validity bitmap of a column. Borrows the bitmap if it begins with the first value. */
function validityOf(data: Data): Validity {
  const { nullCount, offset, length } = data;
  if (nullCount <= 0) return { nullCount: 0 };
  if (offset === 0) return { nullCount, nullBitmap: data.nullBitmap };
  const isNull = nullMask(columnElements(data));
  return { nullCount, nullBitmap: bitmapOf(length, (row) => isNull?.[row] !== 1) };
}
