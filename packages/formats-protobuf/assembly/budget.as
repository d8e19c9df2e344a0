// The bytes that all columns have allocated, counted as `MemoryBudget` of src/kernels/memory-budget.ts does.

let numBytes: i64 = 0;
let maxBytes: i64 = 0;

/** Begins to count. */
export function limitBudget(limit: f64): void {
  maxBytes = <i64>limit;
  numBytes = 0;
}

/** False when the columns would pass the limit together. */
export function replaceBytes(oldBytes: i64, newBytes: i64): bool {
  if (numBytes - oldBytes + newBytes > maxBytes) return false;
  numBytes += newBytes - oldBytes;
  return true;
}
