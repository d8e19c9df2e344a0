/** Offsets and sizes of a batch are 32-bit integers; no batch needs more memory than they can address. */
export const MAX_BATCH_BYTES: number = 2 ** 31;

/** A batch would take more memory than there is, or than 32-bit offsets can address. */
export class BatchTooLarge extends Error {
  override readonly name = "BatchTooLarge";
}

/** What all columns of one decoder have allocated. Lengths that the input declares are checked here before they are. */
export class MemoryBudget {
  readonly #limit: number;
  #numBytes = 0;

  /** @param limit For tests: smaller ones. */
  constructor(limit: number = MAX_BATCH_BYTES) {
    this.#limit = limit;
  }

  /** @throws {BatchTooLarge} when the columns would pass the limit together. */
  replace(oldBytes: number, newBytes: number): void {
    if (this.#numBytes - oldBytes + newBytes > this.#limit) throw new BatchTooLarge();
    this.#numBytes += newBytes - oldBytes;
  }
}
