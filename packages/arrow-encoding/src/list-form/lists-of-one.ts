import { type Data, type List, makeData } from "apache-arrow";
import { columnElements, nullMask } from "../column/column-access.js";
import { gatherData } from "../gather/gather-rows.js";
import type { RowRanges } from "../gather/row-ranges.js";

/**
 * Wraps each value in a list of one. A null value becomes a null list. Copies the non-null values, so that null lists span no
 * values.
 * @param values A column with nulls, as returned by `convertLeaf`. All its buffers must begin with its first value.
 */
export function listsOfOne(values: Data, type: List, columnPath: string): Data {
  const { length, nullCount, nullBitmap } = values;
  const isNull = nullMask(columnElements(values)) ?? new Uint8Array(length);
  const valueOffsets = new Int32Array(length + 1);
  for (let row = 0, offset = 0; row < length; row++) {
    offset += 1 - (isNull[row] as number);
    valueOffsets[row + 1] = offset;
  }
  // The order of Arrow's `BufferType`: offsets, data, validity, type ids. Leaving out validity avoids gathering its bits.
  const buffers = [values.valueOffsets, values.values, undefined, values.typeIds];
  const source = values.clone(values.type, 0, length, 0, buffers as never);
  const child = gatherData(values.type, [source], presentRanges(isNull), columnPath);
  return makeData({ type, length, nullCount, nullBitmap, valueOffsets, child });
}

/** Returns the ranges of consecutive non-null rows. */
function presentRanges(isNull: Uint8Array): RowRanges {
  const { length } = isNull;
  const start = new Uint32Array((length >> 1) + 1);
  const end = new Uint32Array((length >> 1) + 1);
  let count = 0;
  let before = 1;
  for (let row = 0; row < length; row++) {
    const here = isNull[row] as number;
    if (here < before) start[count] = row;
    else if (here > before) end[count++] = row;
    before = here;
  }
  if (before === 0) end[count++] = length;
  return {
    count,
    source: new Uint32Array(count),
    start: start.subarray(0, count),
    end: end.subarray(0, count),
  };
}
