import { ArgumentError } from "@tfxio/wire";
import { assertArgument } from "@tfxio/wire/checks";
import { type Data, DataType, makeData, util } from "apache-arrow";
import { aColumn } from "../argument-rules.js";
import { assertPosition } from "../column/column-access-offsets.js";
import { gatherData } from "../gather/gather-rows.js";
import { isListType, isValid, listColumn } from "../column/list-column.js";
import { unsupportedType } from "../column/unsupported-type.js";

/**
 * Replaces each null row of a list column with a copy of `fill`. Returns the column itself if it has no nulls, otherwise a copy
 * of the same type. Empty lists stay empty.
 * @param fill The values of the list that replaces each null list, as a column with one row per value.
 * @throws {UnsupportedError} `unsupported` (`column-type`) for a column that is neither List nor LargeList.
 * @throws {ArgumentError} `invalid-argument` (`fill-type`) if the type of `fill` differs from the type of the lists' values.
 * @throws {ConversionError} `out-of-range` (`batch-too-large`) if a List column would hold 2^31 values or more.
 * @see tfx_bsl.arrow.array_util.FillNullLists
 */
export function fillNullLists(data: Data, fill: Data): Data {
  assertArgument("data", data, aColumn);
  assertArgument("fill", fill, aColumn);
  const { type } = data;
  if (!isListType(type) || DataType.isFixedSizeList(type)) {
    throw unsupportedType("fillNullLists", type, "List or LargeList columns");
  }
  if (!util.compareTypes(type.valueType, fill.type)) {
    throw new ArgumentError(
      "invalid-argument",
      `fill must have the type of the lists' values, ${type.valueType}, found ${fill.type}.`,
      { reason: "fill-type", argument: "fill" },
    );
  }
  if (data.nullCount === 0) return data;
  const { rowSplits, values } = listColumn(data);
  const isLarge = DataType.isLargeList(type);
  const offsets = isLarge ? new BigInt64Array(data.length + 1) : new Int32Array(data.length + 1);
  const source = new Uint32Array(data.length);
  const start = new Uint32Array(data.length);
  const end = new Uint32Array(data.length);
  let count = 0;
  let total = 0;
  for (let row = 0; row < data.length; row++) {
    const isFilled = !isValid(data, row);
    const from = isFilled ? 0 : (rowSplits[row] as number);
    const to = isFilled ? fill.length : (rowSplits[row + 1] as number);
    // Extend the previous range if this row's values follow it. A run of valid rows is then copied as one range.
    const isNext = count > 0 && !isFilled && source[count - 1] === 0 && end[count - 1] === from;
    if (isNext) end[count - 1] = to;
    else {
      source[count] = isFilled ? 1 : 0;
      start[count] = from;
      end[count++] = to;
    }
    total += to - from;
    if (!isLarge) assertPosition(total, type);
    offsets[row + 1] = (isLarge ? BigInt(total) : total) as never;
  }
  const ranges = { count, source, start, end };
  const child = gatherData(fill.type, [values, fill], ranges, "values");
  const filled = { type, length: data.length, nullCount: 0, valueOffsets: offsets, child };
  return makeData(filled as Parameters<typeof makeData>[0]);
}
