import { disposeBlock } from "../blocks/block.js";
import type { BlockStream } from "../plan.js";

/** Maximum number of rows per read when rows are read only to be dropped. */
const MAX_ROWS = 4096;

/**
 * Skips the next `numRows` rows of a stream, including failed ones. Returns the number of rows skipped, which is smaller than
 * `numRows` if the stream ends first.
 */
export async function skipRows(stream: BlockStream, numRows: number): Promise<number> {
  return stream.skip === undefined ? dropRows(stream, numRows) : stream.skip(numRows);
}

/** Skips rows like {@link skipRows}, but always reads them and disposes their tensors. */
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
