import { type Block, disposeBlock } from "../../blocks/block.js";
import type { BlockStream } from "../../plan.js";

/** The rows of one batch. */
export interface CollectedRows {
  readonly parts: readonly Block[];
  readonly numRows: number;
}

/**
 * The next `size` rows, or fewer at the end. Undefined when no rows are left, or too few with `dropRemainder`.
 * If the stream throws, the rows collected so far are disposed.
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
