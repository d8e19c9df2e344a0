import { type Data, DataType } from "apache-arrow";
import { type ColumnElements, nullMask } from "./column-access.js";
import { gatherData } from "../gather/gather-rows.js";

/**
 * Returns the elements of a walk as a separate column, null where an enclosing struct is null. Borrows the elements if they are
 * contiguous, otherwise copies them.
 * @throws {UnsupportedError} `unsupported` if the elements must be copied, but {@link gatherRows} does not support their type.
 */
export function elementsData(elements: ColumnElements): Data {
  const { data, runs, length, nullable } = elements;
  const column = runs.length === 2 ? sliceOf(data, runs[0] as number, length) : compacted(elements);
  const isOwn = nullable.every((around) => around === data);
  if (isOwn || DataType.isNull(column.type)) return column;
  return withNulls(column, nullMask(elements) ?? new Uint8Array(length));
}

/** Returns the rows `first` to `first + length` (exclusive), or the column itself if these are all its rows. */
function sliceOf(data: Data, first: number, length: number): Data {
  return first === 0 && length === data.length ? data : data.slice(first, length);
}

/** Copies the runs of the elements into one contiguous column. */
function compacted({ data, runs }: ColumnElements): Data {
  const count = runs.length / 2;
  return gatherData(
    data.type,
    [data],
    {
      count,
      source: new Uint32Array(count),
      start: Uint32Array.from({ length: count }, (_, run) => runs[2 * run] as number),
      end: Uint32Array.from({ length: count }, (_, run) => runs[2 * run + 1] as number),
    },
    "values",
  );
}

/** Returns a column that shares the buffers of `column` but is null where `mask` is 1. */
function withNulls(column: Data, mask: Uint8Array): Data {
  const { offset, length } = column;
  const bitmap = new Uint8Array((offset + length + 7) >> 3);
  let nullCount = 0;
  for (let row = 0; row < length; row++) {
    const bit = offset + row;
    if (mask[row] === 1) nullCount++;
    else bitmap[bit >> 3] = (bitmap[bit >> 3] as number) | (1 << (bit & 7));
  }
  // The order of Arrow's `BufferType`: offsets, data, validity, type ids.
  const buffers = [column.valueOffsets, column.values, bitmap, column.typeIds];
  return column.clone(column.type, offset, length, nullCount, buffers as never);
}
