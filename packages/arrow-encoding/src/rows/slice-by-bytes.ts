import { aNumber, assertArgument } from "@tfxio/wire/checks";
import { type Data, DataType, type RecordBatch } from "apache-arrow";
import { aRecordBatch } from "../argument-rules.js";
import { isBytesType } from "../column/column-access-values.js";
import { listColumn } from "../column/list-column.js";
import { mapAsList } from "../list-form/map-as-list.js";
import { recordBatchOf } from "../table/record-batch.js";

/**
 * Divides a batch into consecutive slices whose approximate sizes do not exceed `maxBytes`. A slice has at least one row, even if
 * the row is larger. Returns only the batch itself if it is small enough or has fewer than two rows. Slices share the batch's
 * buffers. The size of a slice includes the values, offsets and null bits that its rows span, even values hidden under null rows.
 * It excludes dictionaries and the children of dense unions, because every slice has all of them.
 * @param maxBytes Maximum size in bytes, at least 1.
 * @throws {ArgumentError} `invalid-argument` for an invalid batch or `maxBytes`.
 */
export function sliceByBytes(batch: RecordBatch, maxBytes: number): RecordBatch[] {
  assertArgument("batch", batch, aRecordBatch);
  assertArgument("maxBytes", maxBytes, aNumber(1));
  const { numRows, schema, data } = batch;
  if (numRows < 2) return [batch];
  const sizes = data.children.map(sizeOf);
  const sizeBetween = (start: number, end: number): number =>
    sizes.reduce((total, size) => total + size(start, end), 0);
  if (sizeBetween(0, numRows) <= maxBytes) return [batch];
  const slices: RecordBatch[] = [];
  for (let start = 0; start < numRows; ) {
    const end = endOfSlice(start, numRows, (row) => sizeBetween(start, row) <= maxBytes);
    const { children } = data.slice(start, end - start);
    slices.push(recordBatchOf(schema, end - start, children, batch.metadata));
    start = end;
  }
  return slices;
}

/** Finds by bisection the largest end that fits, or `start + 1` if none does. If an end fits, all smaller ends must fit. */
function endOfSlice(start: number, numRows: number, fits: (end: number) => boolean): number {
  let fitting = start + 1;
  let tooLarge = numRows + 1;
  while (fitting + 1 < tooLarge) {
    const middle = (fitting + tooLarge) >> 1;
    if (fits(middle)) fitting = middle;
    else tooLarge = middle;
  }
  return fitting;
}

/** Returns the size of the rows `start` to `end` (exclusive) in bytes. */
type SizeBetween = (start: number, end: number) => number;

/** Creates a function that measures a column, including its bitmap. The size of a bitmap may be a fraction of a byte. */
function sizeOf(data: Data): SizeBetween {
  const { type, nullCount } = data;
  if (DataType.isNull(type)) return () => 0;
  const ofValues = sizeOfValues(data);
  return nullCount > 0 ? (start, end) => (end - start) / 8 + ofValues(start, end) : ofValues;
}

/** Creates a function that measures a column without its bitmap. */
function sizeOfValues(data: Data): SizeBetween {
  const { type, children } = data;
  if (isBytesType(type)) {
    const offsets = data.valueOffsets as Int32Array | BigInt64Array;
    return (start, end) =>
      Number(offsets[end]) - Number(offsets[start]) + (end - start) * offsets.BYTES_PER_ELEMENT;
  }
  // A row of a dense union is a type id of one byte, and an offset of four bytes into a child.
  if (DataType.isDenseUnion(type)) return (start, end) => (end - start) * 5;
  if (DataType.isStruct(type) || DataType.isSparseUnion(type)) {
    const sizes = children.map(sizeOf);
    const idBytes = DataType.isSparseUnion(type) ? 1 : 0;
    return (start, end) => sizes.reduce((total, size) => total + size(start, end), (end - start) * idBytes);
  }
  if (DataType.isFixedSizeList(type)) {
    const size = sizeOf(children[0] as Data);
    return (start, end) => size(start * type.listSize, end * type.listSize);
  }
  if (DataType.isList(type) || DataType.isLargeList(type) || DataType.isMap(type)) {
    const { rowSplits, values } = listColumn(mapAsList(data));
    const size = sizeOf(values);
    const offsetBytes = DataType.isLargeList(type) ? 8 : 4;
    return (start, end) =>
      size(rowSplits[start] as number, rowSplits[end] as number) + (end - start) * offsetBytes;
  }
  if (DataType.isBool(type)) return (start, end) => (end - start) / 8;
  const width = ((data.values as Uint8Array | undefined)?.BYTES_PER_ELEMENT ?? 0) * data.stride;
  return (start, end) => (end - start) * width;
}
