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
 * A sample of the rows: every row whose hash, as a fraction of 1, is at least `from` and below `to`. The hash covers a
 * column's values, or the file's URI and the row's position. It therefore does not depend on order, epochs, workers or
 * shuffling.
 */
export interface RowSample {
  readonly seed: number;
  readonly from: number;
  readonly to: number;
  /** Column whose values are hashed, so that rows of equal values stay together. Absent: URI and row position are hashed. */
  readonly by?: ColumnPath | undefined;
}

/** Names of the columns that hold a row's origin. */
export interface OriginColumns extends RowMatcherOptions {
  /** Column with the row's int64 position in its file. */
  readonly position: string;
  /** Column with the int32 split index, in reads that mix splits. Absent: all rows come from the split being read. */
  readonly splitIndex?: string | undefined;
}

/** Returns the indices of the rows of `batch` that belong to the sample, ascending. */
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
  // Rows of each split hash under its own uri.
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
