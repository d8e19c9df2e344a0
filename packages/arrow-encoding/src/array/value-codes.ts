import { DataType } from "apache-arrow";
import { type ColumnElements, eachElement, nullMask } from "../column/column-access.js";
import { dictionaryValues, type FlatValues, flatValues } from "../column/column-access-values.js";
import { malformedColumn } from "../column/column-access-offsets.js";

/**
 * Elements encoded as positions in an array of values. For a dictionary column, the array is the dictionary, so no entry is
 * repeated, however often the column uses it.
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
  const mask = nullMask(elements);
  if (DataType.isDictionary(data.type)) {
    const values = dictionaryValues(data);
    const keys = data.values as ArrayLike<number | bigint>;
    let index = 0;
    eachElement(elements, (position) => {
      const isNull = mask?.[index] === 1;
      const key = isNull ? -1 : Number(keys[position]);
      if (!isNull && !(key >= 0 && key < values.length)) {
        throw malformedColumn(data.type, `key ${key} is outside the dictionary of ${values.length} values`);
      }
      positions[index++] = key;
    });
    return { values, positions };
  }
  for (let index = 0; index < length; index++) positions[index] = mask?.[index] === 1 ? -1 : index;
  return { values: flatValues(elements).values, positions };
}
