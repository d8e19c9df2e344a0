import { disposeBlock } from "../blocks/block.js";
import type { BlockStream } from "../plan.js";

/** Most rows that are read at once, only to be dropped. */
const MAX_ROWS = 4096;

/** Skips the next `numRows` rows of a stream. Returns the number skipped. Failed rows count. */
export async function skipRows(stream: BlockStream, numRows: number): Promise<number> {
  return stream.skip === undefined ? dropRows(stream, numRows) : stream.skip(numRows);
}

/** As {@link skipRows}, by reading the rows: what an operator does that has to look at them. */
export async function dropRows(stream: BlockStream, numRows: number): Promise<number> {
  let numLeft = numRows;
  while (numLeft > 0) {
    const block = await stream.read(Math.min(numLeft, MAX_ROWS));
    if (block === null) break;
    disposeBlock(block);
    numLeft -= block.numRows;
  }
  return numRows - numLeft;
}
