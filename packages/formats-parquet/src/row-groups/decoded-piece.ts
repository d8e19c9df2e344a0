import { freeBuffer } from "@tfxio/wire/kernels";
import { type Data, DataType } from "apache-arrow";
import type { RowSpan } from "./row-span.js";

/** Decoded rows of a column. */
export interface DecodedPiece extends RowSpan {
  readonly data: Data;
  /** Ends the use of `data`. The last release of the columns that share a buffer frees it. Call it once. */
  release(this: void): void;
}

/**
 * The rows of columns that share `buffer`. Batches borrow their dictionaries, so a buffer with any is left to the garbage
 * collector.
 */
export function decodedPieces(
  columns: readonly Data[],
  { start, end }: RowSpan,
  buffer: ArrayBuffer,
): readonly DecodedPiece[] {
  const isBorrowed = columns.some(hasDictionary);
  let numUsers = columns.length;
  const release = (): void => {
    numUsers--;
    if (numUsers === 0 && !isBorrowed) freeBuffer(buffer);
  };
  return columns.map((data) => ({ start, end, data, release }));
}

function hasDictionary({ type, children }: Data): boolean {
  return DataType.isDictionary(type) || children.some(hasDictionary);
}
