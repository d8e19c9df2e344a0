import { BytesColumn, type NumberArray } from "@tfxio/arrow-encoding";
import type { DefaultValue } from "./default-value.js";
import type { HostValues } from "./host-column.js";

/**
 * Values of every row, of which the null ones are `rowSize` times the default. Copies.
 * @param present values of the rows that are not null, one row after the other.
 * @param isNull one byte per row, 1 = null.
 */
export function fillNullRows(
  present: HostValues,
  isNull: Uint8Array,
  rowSize: number,
  fill: DefaultValue,
): HostValues {
  return present instanceof BytesColumn
    ? fillBytes(present, isNull, rowSize, fill as Uint8Array)
    : fillNumbers(present, isNull, rowSize, fill as number | bigint);
}

function fillNumbers(
  present: NumberArray,
  isNull: Uint8Array,
  rowSize: number,
  fill: number | bigint,
): NumberArray {
  const ArrayType = present.constructor as new (length: number) => NumberArray;
  const filled = new ArrayType(isNull.length * rowSize).fill(fill as never);
  let from = 0;
  eachRunOfPresent(isNull, (start, end) => {
    const size = (end - start) * rowSize;
    filled.set(present.subarray(from, from + size) as never, start * rowSize);
    from += size;
  });
  return filled;
}

function fillBytes(present: BytesColumn, isNull: Uint8Array, rowSize: number, fill: Uint8Array): BytesColumn {
  const values: Uint8Array[] = [];
  let from = 0;
  for (const absent of isNull) {
    for (let i = 0; i < rowSize; i++) values.push(absent ? fill : present.get(from++));
  }
  return BytesColumn.from(values);
}

function eachRunOfPresent(isNull: Uint8Array, visit: (start: number, end: number) => void): void {
  for (let start = 0; start < isNull.length; ) {
    const next = isNull.indexOf(1, start);
    const end = next < 0 ? isNull.length : next;
    if (end > start) visit(start, end);
    start = end + 1;
  }
}
