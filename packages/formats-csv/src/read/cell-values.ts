import { Binary, type Data, Float32, Int64, makeData, Null } from "apache-arrow";
import type { TableColumn } from "../kernels/csv-kernel.js";

/** Converts byte strings to Arrow Binary data. Copies the bytes. */
export function bytesData(items: readonly Uint8Array[]): Data<Binary> {
  const valueOffsets = new Int32Array(items.length + 1);
  items.forEach((item, index) => {
    valueOffsets[index + 1] = (valueOffsets[index] as number) + item.length;
  });
  const data = new Uint8Array(valueOffsets[items.length] as number);
  items.forEach((item, index) => data.set(item, valueOffsets[index]));
  return makeData({ type: new Binary(), length: items.length, nullCount: 0, valueOffsets, data });
}

/** Length and validity of a column to create. */
export interface ValuesShape {
  readonly length: number;
  readonly nullCount: number;
  readonly nullBitmap?: Uint8Array | undefined;
}

/** Copies the values of `rows`, or of all rows if `rows` is undefined. */
export function valuesData(
  { int64, float32, offsets, data }: TableColumn,
  rows: Int32Array | undefined,
  shape: ValuesShape,
): Data {
  const { length } = shape;
  if (int64 !== undefined) {
    const values = rows === undefined ? int64.slice() : picked(int64, rows, new BigInt64Array(length));
    return makeData({ type: new Int64(), ...shape, data: values });
  }
  if (float32 !== undefined) {
    const values = rows === undefined ? float32.slice() : picked(float32, rows, new Float32Array(length));
    return makeData({ type: new Float32(), ...shape, data: values });
  }
  const bounds = offsets as Int32Array;
  // Null cells are empty, so each value begins where the previous one ends.
  const valueOffsets = rows === undefined ? bounds.slice() : new Int32Array(length + 1);
  rows?.forEach((row, index) => {
    valueOffsets[index + 1] = bounds[row + 1] as number;
  });
  return makeData({ type: new Binary(), ...shape, valueOffsets, data: (data as Uint8Array).slice() });
}

/** Returns the number of null cells and, if it is not 0, the validity bitmap of the rows. */
export function validityOf({ nulls }: TableColumn, numRows: number): ValuesShape {
  const nullCount = countBits(nulls, numRows);
  if (nullCount === 0) return { length: numRows, nullCount };
  const nullBitmap = nulls.slice(0, Math.ceil(numRows / 8)).map((byte) => ~byte);
  return { length: numRows, nullCount, nullBitmap };
}

export function nullData(length: number): Data {
  return makeData({ type: new Null(), length, nullCount: length });
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
