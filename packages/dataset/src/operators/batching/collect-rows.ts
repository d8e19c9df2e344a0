import { type Block, disposeBlock } from "../../blocks/block.js";
import type { BlockStream } from "../../plan.js";

/** Rows that make one batch. */
export interface CollectedRows {
  readonly parts: readonly Block[];
  readonly numRows: number;
}

/**
 * The next `size` rows, or fewer at the end; undefined when there are none left, or fewer with `dropRemainder`.
 * An error of the stream disposes what came before it.
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
