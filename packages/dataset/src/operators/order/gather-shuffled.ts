import { type Block, gatherRows, isItemRows } from "../../blocks/block.js";

/** Minimum number of rows for a copy from front to back. For fewer rows, such a copy saves no time. */
const MIN_ORDERED = 256;
/** Minimum number of source rows. A column of this many 32-bit numbers (1 MiB) fills the cache of one processor core. */
const MIN_SOURCE_ROWS = 262_144;
/** Number of buckets of the counting sort. */
const NUM_PLACES = 4096;

/**
 * Copies row `row[i]` of block `source[i]`, for each i, into one block. Does the same as {@link gatherRows}, but faster for rows
 * in random order. For many rows from large sources, first copies the rows from front to back, and then reorders this copy, which
 * fits in the processor cache. Direct random access would wait for main memory on every row.
 */
export function gatherShuffled(blocks: readonly Block[], source: Uint32Array, row: Uint32Array): Block {
  const numSourceRows = blocks.reduce((total, { numRows }) => total + numRows, 0);
  if (row.length < MIN_ORDERED || numSourceRows < MIN_SOURCE_ROWS || blocks.some(isItemRows)) {
    return gatherRows(blocks, source, row);
  }
  const order = frontToBack(blocks, source, row);
  const at = (positions: Uint32Array): Uint32Array => order.map((index) => positions[index] as number);
  const ordered = gatherRows(blocks, at(source), at(row));
  const place = new Uint32Array(row.length);
  for (let i = 0; i < order.length; i++) place[order[i] as number] = i;
  return gatherRows([ordered], new Uint32Array(row.length), place);
}

/**
 * Returns the indices of the rows, sorted roughly by their position in the sources. A counting sort suffices, because the order
 * of rows in one bucket does not matter.
 */
function frontToBack(blocks: readonly Block[], source: Uint32Array, row: Uint32Array): Uint32Array {
  const first = new Float64Array(blocks.length + 1);
  blocks.forEach(({ numRows }, index) => {
    first[index + 1] = (first[index] as number) + numRows;
  });
  const rowsPerPlace = Math.ceil((first[blocks.length] as number) / NUM_PLACES);
  const places = row.map((at, i) => Math.floor(((first[source[i] as number] as number) + at) / rowsPerPlace));
  const next = new Uint32Array(NUM_PLACES + 1);
  for (const place of places) (next[place + 1] as number)++;
  for (let place = 0; place < NUM_PLACES; place++) (next[place + 1] as number) += next[place] as number;
  const order = new Uint32Array(row.length);
  for (let i = 0; i < row.length; i++) order[(next[places[i] as number] as number)++] = i;
  return order;
}
