// Counts the bytes that all columns have allocated, like `MemoryBudget` of src/kernels/memory-budget.ts.

let numBytes: i64 = 0;
let maxBytes: i64 = 0;

/** Sets the limit and starts counting from 0. */
export function limitBudget(limit: f64): void {
  maxBytes = <i64>limit;
  numBytes = 0;
}

/** False if the columns together would exceed the limit. */
export function replaceBytes(oldBytes: i64, newBytes: i64): bool {
  if (numBytes - oldBytes + newBytes > maxBytes) return false;
  numBytes += newBytes - oldBytes;
  return true;
}
