import { ArgumentError } from "@tfxio/wire";
import { type Data, DataType, makeData, util } from "apache-arrow";
import { gatherData } from "./gather-rows.js";
import { isListType, isValid, listColumn } from "./list-column.js";
import { unsupportedType } from "./unsupported-type.js";

/**
 * A list column without nulls: each null row becomes a copy of `fill`. The column itself when none is null; else a
 * new one of the same type. Empty lists stay empty.
 * @param fill the values of one list.
 * @throws {UnsupportedError} `unsupported` (`column-type`) for a column that is neither List nor LargeList.
 * @throws {ArgumentError} `invalid-argument` (`fill-type`) when `fill` is not of the type of the lists' values.
 * @see tfx_bsl.arrow.array_util.FillNullLists
 */
export function fillNullLists(data: Data, fill: Data): Data {
  const { type } = data;
  if (!isListType(type) || DataType.isFixedSizeList(type)) {
    throw unsupportedType("fillNullLists", type, "List or LargeList columns");
  }
  if (!util.compareTypes(type.valueType, fill.type)) {
    throw new ArgumentError(
      "invalid-argument",
      `Null lists of ${type.valueType} are filled with values of that type, found ${fill.type}.`,
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
  let total = 0;
  for (let row = 0; row < data.length; row++) {
    const isFilled = !isValid(data, row);
    source[row] = isFilled ? 1 : 0;
    start[row] = isFilled ? 0 : (rowSplits[row] as number);
    end[row] = isFilled ? fill.length : (rowSplits[row + 1] as number);
    total += (end[row] as number) - (start[row] as number);
    offsets[row + 1] = (isLarge ? BigInt(total) : total) as never;
  }
  const ranges = { count: data.length, source, start, end };
  const child = gatherData(fill.type, [values, fill], ranges, "values");
  const filled = { type, length: data.length, nullCount: 0, valueOffsets: offsets, child };
  return makeData(filled as Parameters<typeof makeData>[0]);
}
