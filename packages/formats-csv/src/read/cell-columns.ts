import { type Data, makeData } from "apache-arrow";
import type { TableColumn } from "../kernels/csv-kernel.js";
import { bytesData, nullData, validityOf, valuesData } from "./cell-values.js";
import type { CsvColumn } from "./columns.js";
import { BYTES_LIST, listTypeOf } from "./csv-plan.js";

/** Returns the offsets of lists of one value each. The columns of a batch share them. */
export type OneOffsets = (numRows: number) => Int32Array;

/**
 * Creates a function that returns the offsets 0 to `numRows`. Later calls return the same offsets, so create one function
 * for each batch.
 */
export function createOneOffsets(): OneOffsets {
  let offsets: Int32Array | undefined;
  return (numRows) => (offsets ??= countedUp(numRows + 1));
}

function countedUp(length: number): Int32Array {
  const counted = new Int32Array(length);
  for (let index = 1; index < length; index++) counted[index] = index;
  return counted;
}

/** Copies a kernel's cells to lists. A value becomes a list of one, and a null cell becomes a null list. */
export function listOfOnes(
  { type }: CsvColumn,
  cells: TableColumn,
  numRows: number,
  oneOffsets: OneOffsets,
): Data {
  if (type === "null") return nullData(numRows);
  const list = listTypeOf(type);
  const validity = validityOf(cells, numRows);
  const { nullCount } = validity;
  if (nullCount === 0) {
    const child = valuesData(cells, undefined, validity);
    return makeData({ type: list as never, ...validity, valueOffsets: oneOffsets(numRows), child });
  }
  const valueOffsets = new Int32Array(numRows + 1);
  const rows = new Int32Array(numRows - nullCount);
  let numValues = 0;
  for (let row = 0; row < numRows; row++) {
    if (((cells.nulls[row >> 3] as number) & (1 << (row & 7))) === 0) rows[numValues++] = row;
    valueOffsets[row + 1] = numValues;
  }
  const child = valuesData(cells, rows, { length: numValues, nullCount: 0 });
  return makeData({ type: list as never, ...validity, valueOffsets, child });
}

/** Copies a kernel's cells to flat values. A null cell becomes a null value. */
export function flatValues({ type }: CsvColumn, cells: TableColumn, numRows: number): Data {
  return type === "null" ? nullData(numRows) : valuesData(cells, undefined, validityOf(cells, numRows));
}

/** Converts byte strings to lists of one value each. Copies the bytes. */
export function bytesLists(items: readonly Uint8Array[], oneOffsets: OneOffsets): Data {
  const { length } = items;
  const child = bytesData(items);
  return makeData({ type: BYTES_LIST, length, nullCount: 0, valueOffsets: oneOffsets(length), child });
}
