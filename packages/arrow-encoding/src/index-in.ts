import { ArgumentError } from "@tfxio/wire";
import { type Data, DataType, Int32, makeData } from "apache-arrow";
import { assertArgument } from "./check-arguments.js";
import { columnElements } from "./column-access.js";
import { type FlatValues, flatValues, isBytesType } from "./column-access-values.js";
import { distinctValues } from "./distinct-values.js";
import { isValid } from "./list-column.js";
import { bitmapOf } from "./make-list.js";
import { unsupportedType } from "./unsupported-type.js";

/**
 * For each value its position in the set, int32, counted over the set's distinct entries in the order of their first
 * occurrence; null for a value that is not in it. A null is an entry of the set like any other. Both are byte strings
 * (any of Binary, Utf8 and their large forms), or both numbers of one type.
 *
 * tfx_bsl does not find a null of byte strings when it is the set's first entry; here it is found.
 * @throws {UnsupportedError} `unsupported` (`column-type`) for other types.
 * @throws {ArgumentError} `invalid-argument` (`value-set-type`) when the types do not go together.
 * @see tfx_bsl.arrow.array_util.IndexIn
 */
export function indexIn(values: Data, valueSet: Data): Data<Int32> {
  assertArgument("values", values, "column");
  assertArgument("valueSet", valueSet, "column");
  const wanted = valuesOf(values);
  const entries = valuesOf(valueSet);
  const areBytes = isBytesType(values.type) && isBytesType(valueSet.type);
  if (!areBytes && String(values.type) !== String(valueSet.type)) {
    throw new ArgumentError(
      "invalid-argument",
      `Values of type ${values.type} are looked up in a set of the same type, found ${valueSet.type}.`,
      { reason: "value-set-type", argument: "valueSet" },
    );
  }
  const distinct = distinctValues(entries);
  // A null takes a position among the distinct entries, so what is found for others first after it moves by one.
  let nullPosition = -1;
  let numEntries = 0;
  for (let index = 0; index < valueSet.length; index++) {
    if (!isNull(valueSet, index)) numEntries = Math.max(numEntries, distinct.add(entries, index) + 1);
    else if (nullPosition < 0) nullPosition = numEntries;
  }
  const positions = new Int32Array(values.length).fill(-1);
  let nullCount = 0;
  for (let index = 0; index < values.length; index++) {
    let position = nullPosition;
    if (!isNull(values, index)) {
      const found = distinct.find(wanted, index);
      position = nullPosition >= 0 && found >= nullPosition ? found + 1 : found;
    }
    positions[index] = position;
    if (position < 0) nullCount++;
  }
  const isFound = (index: number): boolean => (positions[index] as number) >= 0;
  return makeData({
    type: new Int32(),
    length: values.length,
    data: positions.map((position) => Math.max(position, 0)),
    nullCount,
    ...(nullCount > 0 && { nullBitmap: bitmapOf(values.length, isFound) }),
  });
}

function isNull(data: Data, index: number): boolean {
  return data.nullCount > 0 && !isValid(data, index);
}

function valuesOf(data: Data): FlatValues {
  const { type } = data;
  if (isBytesType(type) || DataType.isInt(type) || DataType.isFloat(type)) {
    return flatValues(columnElements(data)).values;
  }
  throw unsupportedType("indexIn", type, "byte strings, integers or floats");
}
