import { ArrayStatus } from "./array-kernels.js";
import { checkCoo } from "./check-arrays.js";

/** @see {@link ArrayKernels.cooIndices} */
export function cooIndices(rowSplits: Int32Array, target: Int32Array | BigInt64Array): ArrayStatus {
  const status = checkCoo(rowSplits, target);
  if (status !== ArrayStatus.ok) return status;
  if (target[Symbol.toStringTag] === "Int32Array") {
    writeInt32(rowSplits, target as Int32Array);
  } else {
    // Writes 32-bit words, the low word first, instead of creating BigInts.
    writeInt64(rowSplits, new Int32Array(target.buffer, target.byteOffset, target.length * 2));
  }
  return ArrayStatus.ok;
}

function writeInt32(rowSplits: Int32Array, target: Int32Array): void {
  let at = 0;
  for (let row = 0; row + 1 < rowSplits.length; row++) {
    const length = rowSplits[row + 1]! - rowSplits[row]!;
    for (let position = 0; position < length; position++) {
      target[at] = row;
      target[at + 1] = position;
      at += 2;
    }
  }
}

function writeInt64(rowSplits: Int32Array, words: Int32Array): void {
  let at = 0;
  for (let row = 0; row + 1 < rowSplits.length; row++) {
    const length = rowSplits[row + 1]! - rowSplits[row]!;
    for (let position = 0; position < length; position++) {
      words[at] = row;
      words[at + 1] = 0;
      words[at + 2] = position;
      words[at + 3] = 0;
      at += 4;
    }
  }
}
