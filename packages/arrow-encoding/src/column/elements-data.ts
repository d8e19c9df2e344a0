import { type Data, DataType } from "apache-arrow";
import { type ColumnElements, nullMask } from "./column-access.js";
import { gatherData } from "../gather/gather-rows.js";

/**
 * The elements of a walk as a separate column, null where an enclosing struct is null. Borrows the column if the elements are
 * contiguous, which they are unless null rows span values; otherwise copies.
 * @throws {UnsupportedError} `unsupported` for types that {@link gatherRows} does not copy.
 */
export function elementsData(elements: ColumnElements): Data {
  const { data, runs, length, nullable } = elements;
  const column = runs.length === 2 ? sliceOf(data, runs[0] as number, length) : compacted(elements);
  const isOwn = nullable.every((around) => around === data);
  if (isOwn || DataType.isNull(column.type)) return column;
  return withNulls(column, nullMask(elements) ?? new Uint8Array(length));
}

/** Rows `first` to `first + length` (exclusive). Returns the column itself if these are all rows. */
function sliceOf(data: Data, first: number, length: number): Data {
  return first === 0 && length === data.length ? data : data.slice(first, length);
}

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

/** A column that shares the buffers, with a new bitmap: null where `mask` is 1. */
function withNulls(column: Data, mask: Uint8Array): Data {
  const { offset, length } = column;
  const bitmap = new Uint8Array((offset + length + 7) >> 3);
  let nullCount = 0;
  for (let row = 0; row < length; row++) {
    const bit = offset + row;
    if (mask[row] === 1) nullCount++;
    else bitmap[bit >> 3] = (bitmap[bit >> 3] as number) | (1 << (bit & 7));
  }
  // In the order of Arrow's `BufferType`.
  const buffers = [column.valueOffsets, column.values, bitmap, column.typeIds];
  return column.clone(column.type, offset, length, nullCount, buffers as never);
}
