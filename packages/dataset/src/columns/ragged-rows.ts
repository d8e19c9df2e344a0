import type { HostDense, HostRagged } from "@tfxio/tensor-adapter";
import { gatherValues } from "./gather-values.js";
import { type RowRanges, oneRange, totalRows } from "./row-ranges.js";

/** Copies row ranges of ragged columns into one column. The columns must have the same dtype, ragged rank and inner shape. */
export function gatherRagged(parts: readonly HostRagged[], ranges: RowRanges): HostRagged {
  const { dtype, innerShape, nestedRowSplits, rowSplitsDtype } = parts[0] as HostRagged;
  const gathered: Int32Array[] = [];
  let inner = ranges;
  for (let level = 0; level < nestedRowSplits.length; level++) {
    const splits = parts.map((part) => part.nestedRowSplits[level] as Int32Array);
    gathered.push(gatherSplits(splits, inner));
    inner = {
      count: inner.count,
      source: inner.source,
      start: inner.start.map((row, i) => splits[inner.source[i] as number]?.[row] as number),
      end: inner.end.map((row, i) => splits[inner.source[i] as number]?.[row] as number),
    };
  }
  const stride = innerShape.reduce((product, size) => product * size, 1);
  const values = gatherValues(
    parts.map((part) => part.values),
    dtype,
    inner,
    stride,
  );
  return {
    kind: "ragged",
    dtype,
    values,
    nestedRowSplits: gathered,
    innerShape,
    rowSplitsDtype,
    borrowed: false,
  };
}

/**
 * Copies row `index`. For ragged rank 1, the row is dense, of shape `[length, ...innerShape]`. Otherwise it is ragged, with one
 * level fewer.
 */
export function raggedRow(column: HostRagged, index: number): HostDense | HostRagged {
  const row = gatherRagged([column], oneRange(index, index + 1));
  const { dtype, values, innerShape, borrowed } = row;
  const [outer, ...nestedRowSplits] = row.nestedRowSplits;
  if (nestedRowSplits.length > 0) return { ...row, nestedRowSplits };
  return { kind: "dense", dtype, shape: [outer?.[1] as number, ...innerShape], values, borrowed };
}

/** Returns a ragged value as a column of one row, with one more level. Borrows the values and the row splits. */
export function raggedColumnOfOne(row: HostRagged): HostRagged {
  const numRows = (row.nestedRowSplits[0] as Int32Array).length - 1;
  return { ...row, nestedRowSplits: [Int32Array.of(0, numRows), ...row.nestedRowSplits] };
}

function gatherSplits(parts: readonly Int32Array[], ranges: RowRanges): Int32Array {
  const out = new Int32Array(totalRows(ranges) + 1);
  let at = 0;
  let length = 0;
  for (let i = 0; i < ranges.count; i++) {
    const splits = parts[ranges.source[i] as number] as Int32Array;
    const end = ranges.end[i] as number;
    for (let row = ranges.start[i] as number; row < end; row++) {
      length += (splits[row + 1] as number) - (splits[row] as number);
      out[++at] = length;
    }
  }
  return out;
}
