import type { Data } from "apache-arrow";
import type { OffsetBytes } from "../metadata/stored-column.js";
import { gathered } from "./gathered.js";
import type { Offsets } from "./offsets.js";
import { type ArrayContext, contradiction, elementsOf } from "./typed-arrays.js";
import { isValidAt, type NullBits } from "./validity.js";

/** The list-view column that is expanded. */
export interface ListViewContext extends ArrayContext {
  readonly length: number;
  readonly valid: NullBits;
  readonly offsetBytes: OffsetBytes;
  readonly maxBytes: number;
}

/**
 * Converts list views to lists. Borrows the values if the views are contiguous and in order; otherwise copies them.
 * @throws {RecordError} `corrupt-record` (`array`) for a view outside the values or a buffer that is too short; `limit-exceeded`
 * (`page-length`) if the copy would exceed `maxPageBytes`.
 * @throws {UnsupportedError} `unsupported` if unions must be copied.
 * @see https://arrow.apache.org/docs/format/Columnar.html#listview-layout
 */
export function expandListViews(
  offsetBuffer: Uint8Array,
  sizeBuffer: Uint8Array,
  values: Data,
  context: ListViewContext,
): { readonly valueOffsets: Offsets; readonly children: Data[] } {
  const { length, valid, offsetBytes } = context;
  const read = (bytes: Uint8Array): ArrayLike<number | bigint> =>
    offsetBytes === 4
      ? elementsOf(Int32Array, bytes, length, context)
      : elementsOf(BigInt64Array, bytes, length, context);
  const [offsets, sizes] = [read(offsetBuffer), read(sizeBuffer)];
  const [start, end] = [new Uint32Array(length), new Uint32Array(length)];
  let [numValues, next, first] = [0, 0, 0];
  let isInOrder = true;
  const ends = new Float64Array(length + 1);
  for (let row = 0; row < length; row++) {
    const size = isValidAt(valid, row) ? Number(sizes[row]) : 0;
    const offset = size === 0 ? next : Number(offsets[row]);
    if (size < 0 || offset < 0 || offset + size > values.length) {
      throw contradiction(
        `has a view of ${size} values at offset ${offset} in row ${row}, outside its ${values.length} values`,
        context,
      );
    }
    if (numValues === 0) first = offset;
    else if (size > 0 && offset !== next) isInOrder = false;
    [start[row], end[row]] = [offset, offset + size];
    if (size > 0) next = offset + size;
    numValues += size;
    ends[row + 1] = numValues;
  }
  const base = isInOrder ? first : 0;
  const rowEnds = ends.map((one) => one + base);
  const valueOffsets = offsetBytes === 4 ? Int32Array.from(rowEnds) : BigInt64Array.from(rowEnds, BigInt);
  const child = isInOrder ? values : gathered(values, { count: length, start, end }, context);
  return { valueOffsets, children: [child] };
}
