import { assertArgument } from "@tfxio/wire/checks";
import { type Data, Int64, makeData } from "apache-arrow";
import { aColumn } from "../argument-rules.js";
import { int32Offsets } from "../column/column-access-offsets.js";
import { isBytesType } from "../column/column-access-values.js";
import { isListType, isValid, listColumn } from "../column/list-column.js";
import { unsupportedType } from "../column/unsupported-type.js";
import { widenPositions } from "../column/widen-positions.js";

/**
 * Returns the length of each row as int64: the number of values in a list, or of bytes in a byte string. The result has no nulls:
 * a null row has length 0, even if it spans values.
 * @throws {UnsupportedError} `unsupported` (`column-type`) unless the column holds lists or byte strings.
 * @see tfx_bsl.arrow.array_util.GetElementLengths, ListLengthsFromListArray
 */
export function elementLengths(data: Data): Data<Int64> {
  assertArgument("data", data, aColumn);
  const offsets = offsetsOf(data);
  const lengths = new Int32Array(data.length);
  const hasNulls = data.nullCount > 0;
  for (let row = 0; row < lengths.length; row++) {
    if (hasNulls && !isValid(data, row)) continue;
    lengths[row] = (offsets[row + 1] as number) - (offsets[row] as number);
  }
  return makeData({ type: new Int64(), length: data.length, nullCount: 0, data: widenPositions(lengths) });
}

/** Returns checked int32 offsets of lists or byte strings. 64-bit offsets become relative to the first offset. */
function offsetsOf(data: Data): Int32Array {
  if (isListType(data.type)) return listColumn(data).rowSplits;
  if (isBytesType(data.type)) return int32Offsets(data, (data.values as Uint8Array).length).offsets;
  throw unsupportedType("elementLengths", data.type, "lists or byte strings");
}
