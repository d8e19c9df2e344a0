/** Maximum memory of a batch in bytes: its offsets and sizes are 32-bit integers. */
export const MAX_BATCH_BYTES: number = 2 ** 31;

/** Thrown if a batch would exceed the available memory or 32-bit offsets. Callers convert it to a status or a `TfxioError`. */
export class BatchTooLarge extends Error {
  override readonly name = "BatchTooLarge";
}

/**
 * Counts the bytes by which all columns of one decoder have grown. Columns call {@link replace} before they grow, so lengths that
 * hostile input declares cannot exhaust the memory.
 */
export class MemoryBudget {
  readonly #limit: number;
  #numBytes = 0;

  /** @param limit maximum number of bytes. Tests pass smaller limits. */
  constructor(limit: number = MAX_BATCH_BYTES) {
    this.#limit = limit;
  }

  /**
   * Counts `newBytes` of a column instead of `oldBytes`. @throws {BatchTooLarge} if all columns together would exceed the limit.
   */
  replace(oldBytes: number, newBytes: number): void {
    if (this.#numBytes - oldBytes + newBytes > this.#limit) throw new BatchTooLarge();
    this.#numBytes += newBytes - oldBytes;
  }
}
