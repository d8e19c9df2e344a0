import { SchemaError } from "@tfxio/wire";
import { assertArgument } from "@tfxio/wire/checks";
import { type Data, DataType, type Dictionary } from "apache-arrow";
import { aColumnElements } from "../argument-rules.js";
import { BytesColumn } from "./column-access-bytes.js";
import { type ColumnElements, columnElements, eachElement } from "./column-access.js";
import { assertPosition, int32Offsets, malformedColumn } from "./column-access-offsets.js";
import { zeroColumn } from "./null-column.js";

/** Flat numbers in Arrow's storage type. A float16 value is stored as its 16-bit pattern. */
export type NumberArray =
  | Int8Array
  | Int16Array
  | Int32Array
  | BigInt64Array
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | BigUint64Array
  | Float32Array
  | Float64Array;

/** Flat values of a column: numbers, or byte strings (Binary and Utf8, large or not). */
export type FlatValues = NumberArray | BytesColumn;

/** Result of {@link flatValues}. */
export interface ColumnValues {
  readonly values: FlatValues;
  /** True if the numbers or bytes are a view of the column's own buffer. Do not write to such a view. */
  readonly borrowed: boolean;
}

/**
 * Returns whether {@link flatValues} supports a type: integers, floats, Binary and Utf8 (large or not), and dictionaries of
 * them.
 */
export function isFlatType(type: DataType): boolean {
  if (DataType.isDictionary(type)) return isFlatType(type.dictionary as DataType);
  return DataType.isInt(type) || DataType.isFloat(type) || isBytesType(type);
}

/** Returns true for Binary, LargeBinary, Utf8 and LargeUtf8. */
export function isBytesType(type: DataType): boolean {
  return (
    DataType.isBinary(type) ||
    DataType.isUtf8(type) ||
    DataType.isLargeBinary(type) ||
    DataType.isLargeUtf8(type)
  );
}

/**
 * Returns the values of elements, none of which should be null. A null element gets an arbitrary value, so call {@link
 * firstNull} first. Values from a dictionary are copied. Other values are borrowed if the elements are contiguous, otherwise
 * copied. Elements are contiguous unless values of a null list or struct lie between them. The offsets of large types are copied.
 * @throws {SchemaError} `schema-mismatch` (`not-flat`) if the elements are not of a flat type.
 * @throws {ConversionError} `out-of-range` (`batch-too-large`) for 2^31 bytes or more. `not-convertible` (`malformed-column`) for
 *   a dictionary key outside the dictionary, or for offsets that decrease or point outside the bytes.
 */
export function flatValues(elements: ColumnElements): ColumnValues {
  assertArgument("elements", elements, aColumnElements);
  const { type } = elements.data;
  if (DataType.isDictionary(type))
    return { values: lookUp(elements, dictionaryValues(elements.data)), borrowed: false };
  if (isBytesType(type)) return bytesValues(elements);
  if (DataType.isInt(type) || DataType.isFloat(type)) return numberValues(elements);
  throw new SchemaError("schema-mismatch", `Expected numbers or bytes, found ${type}.`, {
    reason: "not-flat",
    expected: "numbers or bytes",
    actual: String(type),
  });
}

/** Returns fixed-width values in Arrow's storage type. Borrows them if the elements are contiguous. */
export function numberValues({ data, runs, length }: ColumnElements): ColumnValues {
  const values = data.values as NumberArray;
  if (runs.length === 2) return { values: values.subarray(runs[0], runs[1]), borrowed: true };
  const copy = sameKind(values, length);
  let at = 0;
  for (let run = 0; run < runs.length; run += 2) {
    const part = values.subarray(runs[run], runs[run + 1]);
    copy.set(part as never, at);
    at += part.length;
  }
  return { values: copy, borrowed: false };
}

/** Returns byte strings. Borrows them if the elements are contiguous. */
function bytesValues(elements: ColumnElements): ColumnValues {
  const { runs, length } = elements;
  const column = asBytes(elements.data);
  if (runs.length === 2) {
    return { values: column.subarray(runs[0] as number, runs[1] as number), borrowed: true };
  }
  return { values: takeBytes(column, positionsOf(elements, length), elements.data.type), borrowed: false };
}

/** Returns a whole column of byte strings. Borrows the bytes. Copies the offsets of large types. */
function asBytes(data: Data): BytesColumn {
  const bytes = data.values as Uint8Array;
  const { offsets, base } = int32Offsets(data, bytes.length);
  return new BytesColumn(base === 0 ? bytes : bytes.subarray(base), offsets);
}

/** Copies the dictionary entry of each element. */
export function lookUp(elements: ColumnElements, entries: FlatValues): FlatValues {
  const { data } = elements;
  const keys = data.values as ArrayLike<number | bigint>;
  const positions = positionsOf(elements, elements.length).map((position) => Number(keys[position]));
  const outside = positions.find((position) => position < 0 || position >= entries.length);
  if (outside !== undefined) {
    throw malformedColumn(data.type, `key ${outside} is outside the dictionary of ${entries.length} values`);
  }
  if (entries instanceof BytesColumn) return takeBytes(entries, positions, data.type);
  const values = sameKind(entries, positions.length);
  positions.forEach((position, index) => {
    values[index] = entries[position] as never;
  });
  return values;
}

/**
 * Returns the entries of a column's dictionary. Null entries have arbitrary values. A single chunk is returned as `valuesOf`
 * returns it, so its values may be borrowed. Several chunks are copied into one.
 */
export function dictionaryValues(
  data: Data,
  valuesOf = (entries: ColumnElements): FlatValues => flatValues(entries).values,
): FlatValues {
  const { dictionary: type } = data.type as Dictionary;
  const [first = zeroColumn(type, 0), ...rest]: readonly Data[] = data.dictionary?.data ?? [];
  return concatValues([first, ...rest].map((chunk) => valuesOf(columnElements(chunk))));
}

/** Concatenates the chunks of a dictionary. A dictionary has several chunks if an IPC stream extended it. */
function concatValues(chunks: readonly FlatValues[]): FlatValues {
  const [first, ...rest] = chunks as [FlatValues, ...FlatValues[]];
  if (rest.length === 0) return first;
  if (first instanceof BytesColumn) {
    return BytesColumn.from(chunks.flatMap((chunk) => (chunk as BytesColumn).toArray()));
  }
  const whole = sameKind(
    first,
    chunks.reduce((total, chunk) => total + chunk.length, 0),
  );
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk as never, at);
    at += chunk.length;
  }
  return whole;
}

/** Returns the position of each element in its column. @param length Number of elements. */
function positionsOf(elements: ColumnElements, length: number): Int32Array {
  const positions = new Int32Array(length);
  let index = 0;
  eachElement(elements, (position) => {
    positions[index++] = position;
  });
  return positions;
}

/** Copies the values at `positions`. `type` is named in errors. */
function takeBytes(column: BytesColumn, positions: Int32Array, type: DataType): BytesColumn {
  const { data, offsets } = column;
  const taken = new Int32Array(positions.length + 1);
  let total = 0;
  positions.forEach((position, index) => {
    total += (offsets[position + 1] as number) - (offsets[position] as number);
    taken[index + 1] = total;
  });
  assertPosition(total, type);
  const bytes = new Uint8Array(total);
  positions.forEach((position, index) => {
    bytes.set(data.subarray(offsets[position], offsets[position + 1]), taken[index]);
  });
  return new BytesColumn(bytes, taken);
}

/** Creates a zeroed typed array of the same class as `values`. */
function sameKind(values: NumberArray, length: number): NumberArray {
  return new (values.constructor as new (length: number) => NumberArray)(length);
}
