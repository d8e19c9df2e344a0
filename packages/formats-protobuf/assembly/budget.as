// Counts the bytes by which all columns have grown, like `MemoryBudget` of src/kernels/memory-budget.ts.

let numBytes: i64 = 0;
let maxBytes: i64 = 0;

/** Sets the limit and starts counting from 0. */
export function limitBudget(limit: f64): void {
  maxBytes = <i64>limit;
  numBytes = 0;
}

/** Counts `newBytes` of a column instead of `oldBytes`; false if the total would exceed the limit. */
export function replaceBytes(oldBytes: i64, newBytes: i64): bool {
  if (numBytes - oldBytes + newBytes > maxBytes) return false;
  numBytes += newBytes - oldBytes;
  return true;
}
