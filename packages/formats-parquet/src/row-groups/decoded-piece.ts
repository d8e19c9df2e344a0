import { freeBuffer } from "@tfxio/wire/kernels";
import { type Data, DataType } from "apache-arrow";
import type { RowSpan } from "./row-span.js";

/** Decoded rows of one column. Columns that are decoded together share one buffer. */
export interface DecodedPiece extends RowSpan {
  readonly data: Data;
  /** Ends the use of `data`. Call it only once. The buffer is freed when all columns that share it are released. */
  release(this: void): void;
}

/**
 * Returns one piece per column of `columns`, all of which share `buffer`. Batches borrow dictionaries, so a buffer that holds a
 * dictionary is never freed here but left to the garbage collector.
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
