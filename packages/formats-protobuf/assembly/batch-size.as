// Detects when a batch reaches its limit in bytes, with the same arithmetic as src/kernels/typescript/batch-size.ts.
import { Column } from "./column";
import { BYTES, wordsPerValue } from "./encoding";
import { MessagePlan } from "./message-plan";

/** Input may fill 1 / `WATCHED_SHARE` of the remaining space before the size is computed again. */
const WATCHED_SHARE: f64 = 16;

let nextRow: f64 = 1;
let inputLeft: f64 = 0;

/** @param recordBytes Length of the last record in bytes. */
export function isFullBySize(root: MessagePlan, numRows: f64, recordBytes: f64, maxBytes: f64): bool {
  if (maxBytes == Infinity) return false;
  inputLeft -= recordBytes;
  if (numRows < nextRow && inputLeft > 0) return false;
  const numBytes = bytesBelow(root, numRows);
  const room = maxBytes - numBytes;
  nextRow = numRows + max<f64>(1, floor<f64>((room * numRows) / (numBytes * 2 + 1)));
  inputLeft = max<f64>(0, room) / WATCHED_SHARE;
  return room <= 0;
}

/** Resets the state for the next batch. */
export function clearBatchSize(): void {
  nextRow = 1;
  inputLeft = 0;
}

/** Returns the number of bytes that the columns of `numParents` messages take in a batch, including those of nested messages. */
export function bytesBelow(message: MessagePlan, numParents: f64): f64 {
  let numBytes: f64 = 0;
  for (let index: u32 = 0; index < message.numColumns; index++) {
    const column = message.columnAt(index);
    numBytes += bytesOf(column, numParents);
    if (column.message != 0) numBytes += bytesBelow(changetype<MessagePlan>(column.message), column.numItems);
  }
  return numBytes;
}

/** Number of bytes that a column takes in a batch: its values, offsets and bitmap. */
function bytesOf(column: Column, numParents: f64): f64 {
  const numLists = numParents * 4 + numParents / 8;
  const numWords = <f64>column.numItems * <f64>(wordsPerValue(column.encoding) << 2);
  const isBytes = column.encoding == BYTES;
  return numLists + numWords + (isBytes ? <f64>load<u32>(column.words + (<usize>column.numItems << 2)) : 0);
}
