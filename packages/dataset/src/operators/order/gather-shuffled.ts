import { type Block, gatherRows, isItemRows } from "../../blocks/block.js";

/** Below this many rows, nothing is gained by order. */
const MIN_ORDERED = 256;
/** Rows of all sources from which on a column of numbers or short text is larger than a processor's own cache. */
const MIN_SOURCE_ROWS = 16_384;

/**
 * Rows `row[i]` of blocks `source[i]`, which lie anywhere in them. Large sources are read front to back, and the rows
 * are then put in place within a copy that fits the cache: drawn in random order, each would wait for main memory.
 */
export function gatherShuffled(blocks: readonly Block[], source: Uint32Array, row: Uint32Array): Block {
  const numSourceRows = blocks.reduce((total, { numRows }) => total + numRows, 0);
  if (row.length < MIN_ORDERED || numSourceRows < MIN_SOURCE_ROWS || blocks.some(isItemRows)) {
    return gatherRows(blocks, source, row);
  }
  const order = ascending(source, row, Math.max(...blocks.map(({ numRows }) => numRows)));
  const at = (positions: Uint32Array): Uint32Array => order.map((index) => positions[index] as number);
  const ordered = gatherRows(blocks, at(source), at(row));
  const place = new Uint32Array(row.length);
  for (let i = 0; i < order.length; i++) place[order[i] as number] = i;
  return gatherRows([ordered], new Uint32Array(row.length), place);
}

/** Indices of the rows by source, then by row. @param maxRows of a source. */
function ascending(source: Uint32Array, row: Uint32Array, maxRows: number): Uint32Array {
  const count = row.length;
  // Numbers sort without a call per comparison. Exact: sources × rows × count stay far below 2^53.
  const keys = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    keys[i] = ((source[i] as number) * maxRows + (row[i] as number)) * count + i;
  }
  return Uint32Array.from(keys.sort(), (key) => key % count);
}
