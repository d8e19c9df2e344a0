import { ArgumentError } from "@tfxio/wire";
import { assertArgument } from "@tfxio/wire/checks";
import { type Data, Int32, makeData } from "apache-arrow";
import { aColumn } from "../argument-rules.js";
import { columnElements } from "../column/column-access.js";
import { isBytesType, isFlatType } from "../column/column-access-values.js";
import { distinctValues } from "./distinct-values.js";
import { bitmapOf } from "../column/make-list.js";
import { unsupportedType } from "../column/unsupported-type.js";
import { type ValueCodes, valueCodes, valueTypeOf } from "./value-codes.js";

/**
 * For each value of `values`, returns its position in `valueSet` as int32, or null if it is not in the set. Repeated entries of
 * the set are removed before positions are counted. Null is an entry like any other. Both columns must hold byte strings (Binary,
 * Utf8 and their large forms), or numbers of one type. Either may be dictionary-encoded.
 *
 * Unlike tfx_bsl, this function finds a null among byte strings even if null is the set's first entry.
 * @throws {UnsupportedError} `unsupported` (`column-type`) for other types.
 * @throws {ArgumentError} `invalid-argument` (`value-set-type`) if the types do not match.
 * @see tfx_bsl.arrow.array_util.IndexIn
 */
export function indexIn(values: Data, valueSet: Data): Data<Int32> {
  assertArgument("values", values, aColumn);
  assertArgument("valueSet", valueSet, aColumn);
  const wanted = codesOf(values);
  const entries = codesOf(valueSet);
  const [type, setType] = [valueTypeOf(values.type), valueTypeOf(valueSet.type)];
  const areBytes = isBytesType(type) && isBytesType(setType);
  if (!areBytes && String(type) !== String(setType)) {
    throw new ArgumentError(
      "invalid-argument",
      `valueSet must have the type of the values, ${type}, found ${setType}.`,
      { reason: "value-set-type", argument: "valueSet" },
    );
  }
  const distinct = distinctValues(entries.values);
  // A null takes a position among the distinct entries, so the positions of entries after it increase by one.
  let nullPosition = -1;
  let numEntries = 0;
  for (const entry of entries.positions) {
    if (entry >= 0) numEntries = Math.max(numEntries, distinct.add(entries.values, entry) + 1);
    else if (nullPosition < 0) nullPosition = numEntries;
  }
  let nullCount = 0;
  const positions = wanted.positions.map((value) => {
    const found = value < 0 ? -1 : distinct.find(wanted.values, value);
    const position =
      value < 0 ? nullPosition : nullPosition >= 0 && found >= nullPosition ? found + 1 : found;
    if (position < 0) nullCount++;
    return position;
  });
  const isFound = (index: number): boolean => (positions[index] as number) >= 0;
  return makeData({
    type: new Int32(),
    length: values.length,
    data: positions.map((position) => Math.max(position, 0)),
    nullCount,
    ...(nullCount > 0 && { nullBitmap: bitmapOf(values.length, isFound) }),
  });
}

/** Encodes a column, after checking that its type is supported. */
function codesOf(data: Data): ValueCodes {
  if (isFlatType(data.type)) return valueCodes(columnElements(data));
  throw unsupportedType("indexIn", data.type, "byte strings, integers or floats, or dictionaries of them");
}
