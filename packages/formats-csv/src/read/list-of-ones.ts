import { Binary, type Data, Float32, Int64, makeData, Null } from "apache-arrow";
import type { TableColumn } from "../kernels/csv-kernel.js";
import type { CsvColumn } from "./columns.js";
import { arrowTypeOf, BYTES_LIST } from "./csv-plan.js";

/** Offsets of lists of one, shared by the columns of a batch. */
export type OneOffsets = (numRows: number) => Int32Array;

/** A function that returns offsets from 0 to `numRows`, created once per batch. */
export function createOneOffsets(): OneOffsets {
  let offsets: Int32Array | undefined;
  return (numRows) => (offsets ??= countedUp(numRows + 1));
}

function countedUp(length: number): Int32Array {
  const counted = new Int32Array(length);
  for (let index = 1; index < length; index++) counted[index] = index;
  return counted;
}

/** Copies a kernel's cells to lists: a value becomes a list of one, a null cell a null list. */
export function listOfOnes(
  { type }: CsvColumn,
  cells: TableColumn,
  numRows: number,
  oneOffsets: OneOffsets,
): Data {
  if (type === "null") return makeData({ type: new Null(), length: numRows, nullCount: numRows });
  const nullCount = countBits(cells.nulls, numRows);
  const list = arrowTypeOf(type);
  if (nullCount === 0) {
    const child = valuesData(cells, undefined, numRows);
    return makeData({
      type: list as never,
      length: numRows,
      nullCount,
      valueOffsets: oneOffsets(numRows),
      child,
    });
  }
  const valueOffsets = new Int32Array(numRows + 1);
  const rows = new Int32Array(numRows - nullCount);
  let numValues = 0;
  for (let row = 0; row < numRows; row++) {
    if (((cells.nulls[row >> 3] as number) & (1 << (row & 7))) === 0) rows[numValues++] = row;
    valueOffsets[row + 1] = numValues;
  }
  const nullBitmap = cells.nulls.slice(0, Math.ceil(numRows / 8)).map((byte) => ~byte);
  const child = valuesData(cells, rows, numValues);
  return makeData({ type: list as never, length: numRows, nullCount, nullBitmap, valueOffsets, child });
}

/** Byte strings as Binary data. Copies them. */
export function bytesData(items: readonly Uint8Array[]): Data<Binary> {
  const valueOffsets = new Int32Array(items.length + 1);
  items.forEach((item, index) => {
    valueOffsets[index + 1] = (valueOffsets[index] as number) + item.length;
  });
  const data = new Uint8Array(valueOffsets[items.length] as number);
  items.forEach((item, index) => data.set(item, valueOffsets[index]));
  return makeData({ type: new Binary(), length: items.length, nullCount: 0, valueOffsets, data });
}

/** Byte strings as lists of one. Copies them. */
export function bytesLists(items: readonly Uint8Array[], oneOffsets: OneOffsets): Data {
  const { length } = items;
  const child = bytesData(items);
  return makeData({ type: BYTES_LIST, length, nullCount: 0, valueOffsets: oneOffsets(length), child });
}

/** Copies the values of these rows, or of all rows. */
function valuesData(
  { int64, float32, offsets, data }: TableColumn,
  rows: Int32Array | undefined,
  length: number,
): Data {
  if (int64 !== undefined) {
    const values = rows === undefined ? int64.slice() : picked(int64, rows, new BigInt64Array(length));
    return makeData({ type: new Int64(), length, nullCount: 0, data: values });
  }
  if (float32 !== undefined) {
    const values = rows === undefined ? float32.slice() : picked(float32, rows, new Float32Array(length));
    return makeData({ type: new Float32(), length, nullCount: 0, data: values });
  }
  const bounds = offsets as Int32Array;
  // Null cells are empty, so that each value begins where the one before it ends.
  const valueOffsets = rows === undefined ? bounds.slice() : new Int32Array(length + 1);
  rows?.forEach((row, index) => {
    valueOffsets[index + 1] = bounds[row + 1] as number;
  });
  return makeData({
    type: new Binary(),
    length,
    nullCount: 0,
    valueOffsets,
    data: (data as Uint8Array).slice(),
  });
}

function picked<Values extends BigInt64Array | Float32Array>(
  from: Values,
  rows: Int32Array,
  into: Values,
): Values {
  for (let index = 0; index < rows.length; index++)
    into[index] = from[rows[index] as number] as Values[number];
  return into;
}

function countBits(bits: Uint8Array, length: number): number {
  let count = 0;
  for (let at = 0; at < Math.ceil(length / 8); at++) {
    for (let byte = bits[at] as number; byte !== 0; byte &= byte - 1) count++;
  }
  return count;
}
