import { type Data, DataType } from "apache-arrow";
import { type ColumnElements, columnElements, eachElement, nullMask } from "../column/column-access.js";
import { dictionaryValues, type FlatValues, flatValues } from "../column/column-access-values.js";
import { malformedColumn } from "../column/column-access-offsets.js";

/**
 * Elements encoded as positions in an array of values. The array has each dictionary entry only once, however often the column
 * uses the entry.
 */
export interface ValueCodes {
  readonly values: FlatValues;
  /** Position of each element's value; -1 for null. */
  readonly positions: Int32Array;
}

/** Returns the type of a column's values. For a dictionary column, this is the type of its entries. */
export function valueTypeOf(type: DataType): DataType {
  return DataType.isDictionary(type) ? (type.dictionary as DataType) : type;
}

/**
 * Encodes elements, which may be null. Borrows whatever {@link flatValues} borrows. Also borrows a dictionary that has one chunk.
 * @throws {SchemaError} As {@link flatValues}.
 * @throws {ConversionError} As {@link flatValues}.
 */
export function valueCodes(elements: ColumnElements): ValueCodes {
  const { data, length } = elements;
  const positions = new Int32Array(length);
  if (DataType.isDictionary(data.type)) {
    const { values, isNull } = entriesOf(data);
    const keys = data.values as ArrayLike<number | bigint>;
    let index = 0;
    eachElement(elements, (position, isMissing) => {
      const key = isMissing ? -1 : Number(keys[position]);
      if (!isMissing && !(key >= 0 && key < isNull.length)) {
        throw malformedColumn(data.type, `key ${key} is outside the dictionary of ${isNull.length} values`);
      }
      positions[index++] = isMissing || isNull[key] === 1 ? -1 : key;
    });
    return { values, positions };
  }
  const mask = nullMask(elements);
  for (let index = 0; index < length; index++) positions[index] = mask?.[index] === 1 ? -1 : index;
  return { values: flatValues(elements).values, positions };
}

/** Returns the entries of a dictionary and one byte per entry, 1 for null. */
function entriesOf(data: Data): { values: FlatValues; isNull: Uint8Array } {
  const values = dictionaryValues(data);
  const chunks: readonly Data[] = data.dictionary?.data ?? [];
  const isNull = new Uint8Array(values.length);
  let at = 0;
  for (const chunk of chunks) {
    isNull.set(nullMask(columnElements(chunk)) ?? [], at);
    at += chunk.length;
  }
  return { values, isNull };
}
