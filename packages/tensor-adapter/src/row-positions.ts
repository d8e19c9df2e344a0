/** `[row, position]` of every value, flat, and the length of the longest row. */
export function rowPositions(rowSplits: Int32Array): { indices: Int32Array; longest: number } {
  const indices = new Int32Array(2 * (rowSplits.at(-1) as number));
  let longest = 0;
  let at = 0;
  for (let row = 0; row + 1 < rowSplits.length; row++) {
    const length = (rowSplits[row + 1] as number) - (rowSplits[row] as number);
    if (length > longest) longest = length;
    for (let position = 0; position < length; position++) {
      indices[at++] = row;
      indices[at++] = position;
    }
  }
  return { indices, longest };
}
