import { freeBuffer } from "@tfxio/wire/kernels";
import { type Data, DataType } from "apache-arrow";
import type { RowSpan } from "./row-span.js";

/** Decoded rows of a column. */
export interface DecodedPiece extends RowSpan {
  readonly data: Data;
  /** Ends the use of `data`. Call it once. The buffer is freed when all columns that share it are released. */
  release(this: void): void;
}

/**
 * Returns the rows of columns that share `buffer`. Batches borrow dictionaries, so a buffer that holds any is left to the garbage
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
