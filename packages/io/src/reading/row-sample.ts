import {
  hashColumnRows,
  hashFraction,
  hashRowPositions,
  type RowMatcherOptions,
} from "@tfxio/arrow-encoding";
import type { Split } from "@tfxio/format";
import type { ColumnPath } from "@tfxio/schema";
import type { RecordBatch } from "apache-arrow";

/**
 * A sample of the rows: all rows whose hash, scaled to a number from 0 to 1, is at least `from` and below `to`. The hash is
 * computed from a column's values, or from the file's URI and the row's position. The sample therefore does not depend on order,
 * epochs, workers or shuffling.
 */
export interface RowSample {
  readonly seed: number;
  readonly from: number;
  readonly to: number;
  /**
   * Column whose values are hashed, so that rows with equal values stay together. Absent: the file's URI and the row's position
   * are hashed.
   */
  readonly by?: ColumnPath | undefined;
}

/** Names of the columns that identify the file and position of each row. */
export interface OriginColumns extends RowMatcherOptions {
  /** Int64 column with the row's position in its file. */
  readonly position: string;
  /**
   * Int32 column with the index of the row's split, in reads that mix splits. Absent: all rows come from the split that is being
   * read.
   */
  readonly splitIndex?: string | undefined;
}

/**
 * Returns the indices of the rows of `batch` that belong to the sample, ascending.
 * @param split The split that is being read. Used if `origin` names no split index column.
 */
export function sampledRows(
  batch: RecordBatch,
  { seed, from, to, by }: RowSample,
  splits: readonly Split[],
  split: Split,
  origin: OriginColumns,
): Int32Array {
  const { numRows } = batch;
  const hashes =
    by === undefined
      ? positionHashes(batch, seed, splits, split, origin)
      : hashColumnRows(batch, by, seed, { absent: origin.absent });
  const rows = new Int32Array(numRows);
  let length = 0;
  for (let row = 0; row < numRows; row++) {
    const fraction = hashFraction(hashes[row]!);
    if (fraction >= from && fraction < to) rows[length++] = row;
  }
  return rows.subarray(0, length);
}

function positionHashes(
  batch: RecordBatch,
  seed: number,
  splits: readonly Split[],
  split: Split,
  { position, splitIndex }: OriginColumns,
): ArrayLike<number> {
  const positions = int64Values(batch, position);
  if (splitIndex === undefined) return hashRowPositions({ uri: split.uri, positions, seed });
  // Hash the rows of each split with the URI of that split.
  const indices = batch.getChild(splitIndex)?.toArray() as Int32Array;
  const hashes = new Float64Array(batch.numRows);
  for (const index of new Set(indices)) {
    const { uri } = splits[index] as Split;
    const own = hashRowPositions({ uri, positions, seed });
    for (let row = 0; row < indices.length; row++) if (indices[row] === index) hashes[row] = own[row]!;
  }
  return hashes;
}

function int64Values(batch: RecordBatch, name: string): BigInt64Array {
  return batch.getChild(name)?.toArray() as BigInt64Array;
}
