import { columnElements, flatValues, listColumn, type NumberArray } from "@tfxio/arrow-encoding";
import { arrayKernels } from "@tfxio/wire/kernels";
import { type Data, DataType } from "apache-arrow";
import { allocated } from "../host/allocated.js";
import { assertLaidOut } from "../host/assert-laid-out.js";
import type { DefaultValue } from "../host/default-value.js";

/**
 * Numbers of a list column of which every row has `rowSize`, null rows too, as those of FixedSizeList have: the hidden
 * values replaced by the default in one pass. A copy; undefined for other columns.
 */
export function filledRows(data: Data, rowSize: number, fill: DefaultValue): NumberArray | undefined {
  if (data.nullCount === 0 || rowSize === 0) return undefined;
  const { rowSplits, values } = listColumn(data);
  const { type, nullCount } = values;
  if (nullCount > 0 || (!DataType.isInt(type) && !DataType.isFloat(type))) return undefined;
  const first = rowSplits[0] as number;
  for (let row = 1; row < rowSplits.length; row++) {
    if (rowSplits[row] !== first + row * rowSize) return undefined;
  }
  const whole = flatValues(columnElements(values)).values as NumberArray;
  const hidden = whole.subarray(first, rowSplits.at(-1));
  const filled = allocated(hidden.constructor as new (length: number) => NumberArray, hidden.length);
  const number = fill as number | bigint;
  assertLaidOut(arrayKernels().fillNulls(hidden, rowSize, data.nullBitmap, data.offset, number, filled));
  return filled;
}
