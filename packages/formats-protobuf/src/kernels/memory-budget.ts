/** Maximum memory of a batch in bytes, because its offsets and sizes are 32-bit integers. */
export const MAX_BATCH_BYTES: number = 2 ** 31;

/** Thrown when a batch would exceed the available memory or 32-bit offsets. */
export class BatchTooLarge extends Error {
  override readonly name = "BatchTooLarge";
}

/** Counts the memory of all columns of one decoder. Lengths that the input declares are checked here before allocation. */
export class MemoryBudget {
  readonly #limit: number;
  #numBytes = 0;

  /** @param limit In bytes. Tests pass smaller limits. */
  constructor(limit: number = MAX_BATCH_BYTES) {
    this.#limit = limit;
  }

  /** @throws {BatchTooLarge} when the columns together would exceed the limit. */
  replace(oldBytes: number, newBytes: number): void {
    if (this.#numBytes - oldBytes + newBytes > this.#limit) throw new BatchTooLarge();
    this.#numBytes += newBytes - oldBytes;
  }
}
