/** Consecutive rows of a file. */
export interface RowRange {
  /** Index of the first row in the file. */
  readonly firstRow: number;
  readonly numRows: number;
}

/** Removes the first `numRows` rows from `ranges` and returns them. Returns fewer rows if `ranges` contains fewer. */
export function takeRows(ranges: RowRange[], numRows: number): readonly RowRange[] {
  const taken: RowRange[] = [];
  for (let left = numRows; left > 0; ) {
    const range = ranges.shift();
    if (range === undefined) break;
    const count = Math.min(left, range.numRows);
    taken.push({ firstRow: range.firstRow, numRows: count });
    left -= count;
    if (count < range.numRows) {
      ranges.unshift({ firstRow: range.firstRow + count, numRows: range.numRows - count });
    }
  }
  return taken;
}

/** Returns the position of each row, which is its index in the file. */
export function positionsOf(ranges: readonly RowRange[]): BigInt64Array {
  const positions = new BigInt64Array(ranges.reduce((sum, { numRows }) => sum + numRows, 0));
  let at = 0;
  for (const { firstRow, numRows } of ranges) {
    for (let row = 0; row < numRows; row++) positions[at++] = BigInt(firstRow + row);
  }
  return positions;
}
