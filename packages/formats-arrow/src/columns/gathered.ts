import { gatherRows, recordBatchOf } from "@tfxio/arrow-encoding";
import { type Data, DataType, Field, Schema as ArrowSchema } from "apache-arrow";
import { assertWithin } from "../metadata/damage.js";
import { type ArrayContext } from "./typed-arrays.js";

/** Ranges of an array's elements, in the order in which to copy them. */
export interface ElementRanges {
  readonly count: number;
  readonly start: Uint32Array;
  readonly end: Uint32Array;
}

/**
 * Copies the given ranges of `data` to one array. First checks the size of the copy, which can be far larger than `data` if
 * ranges overlap.
 * @throws {RecordError} `limit-exceeded` (`page-length`) if the copy would exceed `maxPageBytes`.
 * @throws {UnsupportedError} `unsupported` for unions.
 */
export function gathered(
  data: Data,
  ranges: ElementRanges,
  { maxBytes, place, path }: ArrayContext & { readonly maxBytes: number },
): Data {
  const { count, start, end } = ranges;
  let numBytes = 0;
  for (let at = 0; at < count && numBytes <= maxBytes; at++) {
    numBytes += bytesWithin(data, start[at] as number, end[at] as number);
  }
  assertWithin(numBytes, maxBytes, { place, what: `the expanded column "${path}"`, reason: "page-length" });
  const schema = new ArrowSchema([new Field(path, data.type, true)]);
  const batch = recordBatchOf(schema, data.length, [data]);
  const rows = gatherRows([batch], schema, { ...ranges, source: new Uint32Array(count) });
  return rows.data.children[0] as Data;
}

/** Estimates the number of bytes of elements `start` to `end` (exclusive), with at least one byte per element. */
function bytesWithin(data: Data, start: number, end: number): number {
  const { type, children } = data;
  const length = end - start;
  const offsets = data.valueOffsets as ArrayLike<number | bigint> | undefined;
  if (DataType.isFixedSizeList(type)) {
    return length + bytesWithin(children[0] as Data, start * type.listSize, end * type.listSize);
  }
  if (DataType.isStruct(type)) {
    return children.reduce((sum, child) => sum + bytesWithin(child, start, end), length);
  }
  if (offsets !== undefined && !DataType.isUnion(type)) {
    const [first, last] = [Number(offsets[start]), Number(offsets[end])];
    const [child] = children;
    return 4 * length + (child === undefined ? last - first : bytesWithin(child, first, last));
  }
  const bytesPerValue = (data.values as ArrayBufferView | undefined)?.byteLength ?? 0;
  return length * Math.max(1, Math.ceil(bytesPerValue / Math.max(1, data.length)));
}
