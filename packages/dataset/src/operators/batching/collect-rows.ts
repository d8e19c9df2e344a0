import { type Block, disposeBlock } from "../../blocks/block.js";
import type { BlockStream } from "../../plan.js";

/** Rows that were read together, in order. */
export interface CollectedRows {
  /** One or more blocks, each with at least one row. */
  readonly parts: readonly Block[];
  /** Number of rows in all parts. */
  readonly numRows: number;
}

/**
 * Reads the next `size` rows, or fewer at the end of the stream. Returns undefined if no rows are left. With `dropRemainder`,
 * also returns undefined for fewer than `size` rows, and disposes them. If the stream throws, disposes the rows collected so far.
 */
export async function collectRows(
  stream: BlockStream,
  size: number,
  dropRemainder: boolean,
): Promise<CollectedRows | undefined> {
  const parts: Block[] = [];
  let numRows = 0;
  try {
    while (numRows < size) {
      const part = await stream.read(size - numRows);
      if (part === null) break;
      parts.push(part);
      numRows += part.numRows;
    }
  } catch (error) {
    parts.forEach(disposeBlock);
    throw error;
  }
  if (numRows === size || (numRows > 0 && !dropRemainder)) return { parts, numRows };
  parts.forEach(disposeBlock);
  return undefined;
}
