import type { TensorRepresentation_RaggedTensor_Partition } from "@tfxio/schema";
import { rowOf, sizeOf } from "./row-of-value.js";
import { noHandler, rowShapeError } from "../handlers/tensor-handler.js";

/** One subdivision of the innermost lists: into groups of a fixed size, or into groups whose sizes are the values of a column. */
export type RowPartition =
  | { readonly kind: "uniform"; readonly size: number }
  | { readonly kind: "row-length"; readonly columnName: string };

/** A representation's partitions. Trailing uniform partitions are separate, because they become fixed inner dimensions. */
export interface RowPartitions {
  /** Partitions that become row splits, outermost first. */
  readonly ragged: readonly RowPartition[];
  /** Sizes of the trailing uniform partitions, outermost first. */
  readonly innerShape: readonly number[];
}

/**
 * Reads the partitions of a representation.
 * @throws {ConversionError} `not-convertible` (`no-handler`) for a uniform length outside 1 to 2^53 - 1, or a partition
 * without a length.
 */
export function rowPartitions(
  partitions: readonly TensorRepresentation_RaggedTensor_Partition[],
  path: string,
): RowPartitions {
  const all = partitions.map(({ kind }): RowPartition => {
    if (kind.case === "rowLength") return { kind: "row-length", columnName: kind.value };
    if (kind.case === undefined)
      throw noHandler("A partition has neither a row length nor a uniform length.", path);
    if (kind.value < 1n || kind.value > Number.MAX_SAFE_INTEGER) {
      throw noHandler(`A uniform row length must be from 1 to 2^53 - 1, found ${kind.value}.`, path);
    }
    return { kind: "uniform", size: Number(kind.value) };
  });
  const numRagged = all.findLastIndex(({ kind }) => kind === "row-length") + 1;
  return {
    ragged: all.slice(0, numRagged),
    innerShape: all
      .slice(numRagged)
      .flatMap((partition) => (partition.kind === "uniform" ? [partition.size] : [])),
  };
}

/** A row-length column of a batch. */
export interface RowLengths {
  readonly columnPath: string;
  /** Row splits of the column. They assign the lengths to the innermost lists. */
  readonly rowSplits: Int32Array;
  /** All lengths, concatenated. */
  readonly lengths: ArrayLike<number | bigint>;
}

/**
 * Divides the innermost lists into nested groups, as the partitions say, from the inside out. The first step groups the values,
 * and each later step combines the groups of the step before it into larger ones. After each step, the row splits of
 * the innermost lists count the new groups. For a uniform partition, each split is divided by the partition's size. For a
 * row-length column, the row splits are replaced with those of the column, which has one length per group.
 * @param innermost row splits of the innermost lists. They count values.
 * @param outer enclosing row splits, outermost first, to find the row for errors.
 * @param rowLengths looks up a row-length column, which has one list of lengths per innermost list.
 * @returns the splits that replace `innermost`, then those of each ragged partition, outermost first.
 * @throws {ConversionError} `shape-mismatch` (`row-shape`) if a list does not divide evenly, or if the row lengths of
 * a list do not add up to its length.
 */
export function dividedRowSplits(
  innermost: Int32Array,
  outer: readonly Int32Array[],
  { ragged, innerShape }: RowPartitions,
  columnPath: string,
  rowLengths: (columnName: string) => RowLengths,
): Int32Array[] {
  const innerSize = sizeOf(innerShape);
  let current = divide(innermost, innerSize, outer, columnPath);
  // The current row splits count groups of `groupSize` values. `counted` is the path of the column that holds these values.
  let counted = columnPath;
  let groupSize = innerSize;
  const inside: Int32Array[] = [];
  for (const partition of ragged.toReversed()) {
    if (partition.kind === "uniform") {
      const { size } = partition;
      const divided = divide(current, size, outer, counted, groupSize);
      groupSize *= size;
      inside.unshift(Int32Array.from({ length: (divided.at(-1) as number) + 1 }, (_, group) => group * size));
      current = divided;
    } else {
      const column = rowLengths(partition.columnName);
      inside.unshift(summed(column, current, outer));
      current = column.rowSplits;
      counted = column.columnPath;
      groupSize = 1;
    }
  }
  return [current, ...inside];
}

function divide(
  splits: Int32Array,
  size: number,
  outer: readonly Int32Array[],
  columnPath: string,
  groupSize = 1,
): Int32Array {
  if (size === 1) return splits;
  const mismatch = splits.findIndex((split) => split % size !== 0);
  if (mismatch > 0) {
    const row = rowOf(mismatch - 1, outer);
    const length = ((splits[mismatch] as number) - (splits[mismatch - 1] as number)) * groupSize;
    const finding = `has a list of length ${length}, which is not a multiple of ${size * groupSize}`;
    throw rowShapeError(finding, columnPath, row);
  }
  return splits.map((split) => split / size);
}

/**
 * Computes row splits from lengths. The lengths for each list must add up to the size of the list according to the row splits
 * `expected`.
 */
function summed(
  { columnPath, rowSplits, lengths }: RowLengths,
  expected: Int32Array,
  outer: readonly Int32Array[],
): Int32Array {
  const splits = new Int32Array(lengths.length + 1);
  for (let list = 0; list + 1 < expected.length; list++) {
    const end = expected[list + 1] as number;
    let total = expected[list] as number;
    for (let at = rowSplits[list] as number; at < (rowSplits[list + 1] as number); at++) {
      const length = Number(lengths[at]);
      total += length;
      if (length < 0 || total > end) break;
      splits[at + 1] = total;
    }
    if (total !== end || splits[rowSplits[list + 1] as number] !== total) {
      const size = end - (expected[list] as number);
      throw rowShapeError(
        `has row lengths that are negative or do not add up to ${size}`,
        columnPath,
        rowOf(list, outer),
      );
    }
  }
  return splits;
}
