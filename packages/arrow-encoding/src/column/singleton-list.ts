import { assertArgument } from "@tfxio/wire/checks";
import { type Data, DataType } from "apache-arrow";
import { aColumn, aListType } from "../argument-rules.js";
import { type ColumnElements, columnElements } from "./column-access.js";
import { elementsData } from "./elements-data.js";
import type { ExampleListType } from "../example/example-arrow-types.js";
import { isValid } from "./list-column.js";
import { bitmapOf, makeList } from "./make-list.js";

/**
 * Wraps each value in a list of one. A null value becomes a null list. Borrows the non-null values if they are contiguous,
 * otherwise copies them.
 * @param listType `"large"` creates a LargeList, as tfx_bsl does. Default `"list"`.
 * @see tfx_bsl.arrow.array_util.ToSingletonListArray
 */
export function toSingletonLists(data: Data, listType: ExampleListType = "list"): Data {
  assertArgument("data", data, aColumn);
  assertArgument("listType", listType, aListType);
  const { length } = data;
  const isNullType = DataType.isNull(data.type);
  const nullCount = isNullType ? length : data.nullCount;
  const isPresent = (row: number): boolean => nullCount === 0 || (!isNullType && isValid(data, row));
  const offsets = new Int32Array(length + 1);
  for (let row = 0; row < length; row++) {
    offsets[row + 1] = (offsets[row] as number) + (isPresent(row) ? 1 : 0);
  }
  if (nullCount === 0) return makeList(data, offsets, listType, { nullCount });
  const values = elementsData(presentElements(data, isPresent));
  return makeList(values, offsets, listType, { nullCount, nullBitmap: bitmapOf(length, isPresent) });
}

/** Returns the elements of the rows for which `isPresent` is true, as runs of adjacent rows. */
function presentElements(data: Data, isPresent: (row: number) => boolean): ColumnElements {
  const runs: number[] = [];
  let length = 0;
  for (let row = 0; row < data.length; row++) {
    if (!isPresent(row)) continue;
    length++;
    if (runs.at(-1) === row) runs[runs.length - 1] = row + 1;
    else runs.push(row, row + 1);
  }
  return { ...columnElements(data), runs: Int32Array.from(runs.length > 0 ? runs : [0, 0]), length };
}
