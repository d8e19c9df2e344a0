import { DataType, Precision } from "apache-arrow";
import { BytesColumn } from "../column/column-access-bytes.js";
import { type ColumnElements, nullMask } from "../column/column-access.js";
import {
  dictionaryValues,
  type FlatValues,
  flatValues,
  lookUp,
  numberValues,
} from "../column/column-access-values.js";
import { elementsData } from "../column/elements-data.js";
import { decimalTexts } from "./decimal-text.js";
import { fromFloat16Bits } from "./float16.js";
import { isTemporal } from "./value-kind.js";

/**
 * Returns the values of elements that are not lists, structs or Null. float16 becomes float32, booleans become 0 and 1, dates and
 * times become integers in their unit, fixed-size binary becomes bytes, and decimals become text. Dictionary keys become the
 * values of their entries. Elements that are null have arbitrary values. Contiguous elements are borrowed, except float16,
 * booleans, decimals and dictionaries, which are always copied.
 * @throws {SchemaError} As {@link flatValues}.
 * @throws {ConversionError} As {@link flatValues}.
 */
export function leafValues(elements: ColumnElements): FlatValues {
  const { type } = elements.data;
  if (DataType.isDictionary(type)) return lookUp(elements, dictionaryValues(elements.data, leafValues));
  if (DataType.isBool(type)) return unpackBits(elements);
  if (DataType.isFixedSizeBinary(type)) return fixedSizeBytes(elements, type.byteWidth);
  if (DataType.isDecimal(type)) return decimalTexts(elementsData(elements), nullMask(elements));
  if (DataType.isFloat(type) && type.precision === Precision.HALF) {
    return fromFloat16Bits(numberValues(elements).values as Uint16Array);
  }
  return isTemporal(type) ? numberValues(elements).values : flatValues(elements).values;
}

/** Expands bits, least significant first, to one byte per value. */
function unpackBits({ data, runs, length }: ColumnElements): Uint8Array {
  const bits = data.values as Uint8Array;
  const values = new Uint8Array(length);
  let index = 0;
  for (let run = 0; run < runs.length; run += 2) {
    const end = data.offset + (runs[run + 1] as number);
    for (let bit = data.offset + (runs[run] as number); bit < end; bit++) {
      values[index++] = ((bits[bit >> 3] as number) >> (bit & 7)) & 1;
    }
  }
  return values;
}

/** Creates the offsets that fixed-size binary values lack. Borrows contiguous values. */
function fixedSizeBytes(elements: ColumnElements, byteWidth: number): BytesColumn {
  const { values, length } = elementsData(elements);
  const offsets = new Int32Array(length + 1);
  for (let index = 0; index <= length; index++) offsets[index] = index * byteWidth;
  return new BytesColumn(values as Uint8Array, offsets);
}
