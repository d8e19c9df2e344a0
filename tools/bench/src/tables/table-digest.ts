import { crc32 } from "node:zlib";
import {
  BytesColumn,
  type ColumnValues,
  columnElements,
  type FlatValues,
  flatValues,
  isListType,
  listElements,
} from "@tfxio/arrow-encoding";
import type { Data, RecordBatch } from "apache-arrow";

/** Fingerprint of a subject's columns. It does not depend on where batches end. */
export interface TableDigest {
  readonly numRows: number;
  /**
   * Fingerprints by column, in decimal. The fingerprint of integers is their sum modulo 2^64, that of floats is the sum of their
   * float32 bit patterns as unsigned integers, and that of text is the CRC-32 of all bytes.
   */
  readonly columns: Readonly<Record<string, string>>;
}

/** Computes the fingerprints of a sequence of batches. */
export class TableDigester {
  #numRows = 0;
  readonly #sums = new Map<string, bigint>();

  add(batch: RecordBatch): void {
    this.#numRows += batch.numRows;
    for (const [index, { name }] of batch.schema.fields.entries()) {
      this.addValues(name, valuesOf(batch.data.children[index] as Data).values);
    }
  }

  /** Adds part of a column, for subjects without record batches. Pass `numRows` for one column only, to count each row once. */
  addValues(name: string, values: FlatValues, numRows = 0): void {
    this.#numRows += numRows;
    this.#sums.set(name, added(this.#sums.get(name) ?? 0n, values));
  }

  digest(): TableDigest {
    const columns = Object.fromEntries([...this.#sums].map(([name, sum]) => [name, String(sum)]));
    return { numRows: this.#numRows, columns };
  }
}

/** Returns a line if the numbers of rows differ, and a line for each column that differs, is missing or is unexpected. */
export function checkTableDigests(expected: TableDigest, actual: TableDigest): readonly string[] {
  const rows =
    expected.numRows === actual.numRows
      ? []
      : [`rows: expected ${expected.numRows}, found ${actual.numRows}`];
  const names = new Set([...Object.keys(expected.columns), ...Object.keys(actual.columns)]);
  const columns = [...names]
    .map((name) => ({ name, wanted: expected.columns[name], found: actual.columns[name] }))
    .filter(({ wanted, found }) => wanted !== found)
    .map(
      ({ name, wanted, found }) =>
        `${name}: expected ${wanted ?? "no column"}, found ${found ?? "no column"}`,
    );
  return [...rows, ...columns];
}

/** Reads all integers of the first column. Otherwise, a reader that returns views of the file might never read that column. */
export function touched(batch: RecordBatch): number {
  const { values } = valuesOf(batch.data.children[0] as Data) as { values: BigInt64Array };
  return touchedValues(values);
}

/** Returns the XOR of the 32-bit halves of all values. To compute it, the loop reads every byte. */
export function touchedValues(values: BigInt64Array): number {
  const halves = new Int32Array(values.buffer, values.byteOffset, 2 * values.length);
  let found = 0;
  for (const half of halves) found ^= half;
  return found;
}

function valuesOf(data: Data): ColumnValues {
  const elements = columnElements(data);
  return flatValues(isListType(data.type) ? listElements(elements).elements : elements);
}

/** Adds values to a column's fingerprint. */
function added(sum: bigint, values: FlatValues): bigint {
  if (values instanceof BytesColumn) {
    const { data, offsets } = values;
    return BigInt(crc32(data.subarray(offsets[0], offsets[values.length]), Number(sum)));
  }
  // A JSON reader may return doubles, because JSON numbers have no bit width. Round doubles to float32, the type of the table.
  if (values instanceof Float64Array) return added(sum, Float32Array.from(values));
  if (values instanceof Float32Array) {
    const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
    return sum + BigInt(bits.reduce((total, one) => total + one, 0));
  }
  let total = sum;
  for (const value of values as BigInt64Array) total += value;
  return BigInt.asUintN(64, total);
}
