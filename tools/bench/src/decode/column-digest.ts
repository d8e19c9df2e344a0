import { crc32 } from "node:zlib";
import type { RecordBatch } from "apache-arrow";
import type { BenchSet } from "../sets/bench-set.js";
import { featureListBuffers, type ListBuffers, listBuffers } from "./list-buffers.js";

/** Fingerprint of one decoded column over all batches. It does not depend on where batches end. */
export interface ColumnDigest {
  readonly name: string;
  /** Number of rows without the feature; undefined if a subject cannot distinguish a missing feature from an empty list. */
  readonly numNulls: number | undefined;
  readonly numValues: number;
  /** Total bytes of all values. */
  readonly numBytes: number;
  /** CRC-32 over the number of values in each row, as int32; null rows have 0. */
  readonly lengthsCrc: number;
  /** CRC-32 over the length of each value, as int32. It is 0 unless the column contains bytes. */
  readonly valueLengthsCrc: number;
  /** CRC-32 over the values' little-endian bytes. */
  readonly valuesCrc: number;
  /**
   * CRC-32 over the number of steps in each row, as int32, where null rows have 0. Only feature lists have this member. For a
   * feature list, `lengthsCrc` describes steps instead of rows, and `numNulls` counts null rows and null steps.
   */
  readonly stepsCrc?: number;
}

/** The fingerprints of all columns that a subject decoded. */
export interface DecodeDigest {
  readonly numRows: number;
  readonly columns: readonly ColumnDigest[];
}

/** Computes the fingerprints of a sequence of batches. */
export class BatchDigester {
  #numRows = 0;
  readonly #columns: { -readonly [K in keyof ColumnDigest]: ColumnDigest[K] }[];

  constructor({ columns, sequenceColumns = [] }: Pick<BenchSet, "columns" | "sequenceColumns">) {
    const empty = { numNulls: 0, numValues: 0, numBytes: 0, lengthsCrc: 0, valueLengthsCrc: 0, valuesCrc: 0 };
    this.#columns = [
      ...columns.map(({ name }) => ({ name, ...empty })),
      ...sequenceColumns.map(({ name }) => ({ name, ...empty, stepsCrc: 0 })),
    ];
  }

  add(batch: RecordBatch): void {
    this.#numRows += batch.numRows;
    for (const column of this.#columns) {
      let list: ListBuffers;
      if (column.stepsCrc === undefined) list = listBuffers(batch, column.name);
      else {
        const { numNulls, offsets, steps } = featureListBuffers(batch, column.name);
        column.stepsCrc = crc32(differences(offsets), column.stepsCrc);
        column.numNulls = (column.numNulls ?? 0) + numNulls;
        list = steps;
      }
      column.numNulls = (column.numNulls ?? 0) + list.numNulls;
      column.numValues += list.numValues;
      column.numBytes += list.values.byteLength;
      column.lengthsCrc = crc32(differences(list.offsets), column.lengthsCrc);
      if (list.valueOffsets)
        column.valueLengthsCrc = crc32(differences(list.valueOffsets), column.valueLengthsCrc);
      column.valuesCrc = crc32(rawBytes(list.values), column.valuesCrc);
    }
  }

  digest(): DecodeDigest {
    return { numRows: this.#numRows, columns: this.#columns };
  }
}

/**
 * Compares the number of rows and the columns of `expected` with those of `actual`, and returns one line for each difference.
 * Compares a member of a column only if both digests define it.
 */
export function checkDigests(expected: DecodeDigest, actual: DecodeDigest): readonly string[] {
  const findings: string[] = [];
  if (expected.numRows !== actual.numRows)
    findings.push(`rows: expected ${expected.numRows}, found ${actual.numRows}`);
  const byName = new Map(actual.columns.map((column) => [column.name, column]));
  for (const column of expected.columns) {
    const other = byName.get(column.name);
    if (other === undefined) {
      findings.push(`${column.name}: missing`);
      continue;
    }
    for (const key of Object.keys(column) as (keyof ColumnDigest)[]) {
      if (column[key] === undefined || other[key] === undefined) continue;
      if (column[key] !== other[key])
        findings.push(`${column.name}.${key}: expected ${column[key]}, found ${other[key]}`);
    }
  }
  return findings;
}

/** Returns the differences of consecutive offsets as the bytes of an Int32Array. */
function differences(offsets: ListBuffers["offsets"]): Uint8Array {
  const lengths = new Int32Array(offsets.length - 1);
  for (let i = 0; i < lengths.length; i++) lengths[i] = (offsets[i + 1] as number) - (offsets[i] as number);
  return rawBytes(lengths);
}

function rawBytes(values: ArrayBufferView): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}
