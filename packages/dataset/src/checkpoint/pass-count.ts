/** Counts the passes over an operator that orders each pass differently. Belongs to the plan, so it outlives passes. */
export class PassCount {
  /** Number of the next pass, from 0. */
  next = 0;
  /** Seed from which, with its number, the order of a pass derives. */
  seed: number;
  /** True if the caller gave no seed, so that a checkpoint has to store it. */
  readonly isDrawn: boolean;

  /** @param seed of the caller's; undefined draws one. */
  constructor(seed: number | undefined) {
    this.seed = seed ?? Math.floor(Math.random() * 2 ** 32);
    this.isDrawn = seed === undefined;
  }
}

/** Rows of one pass over the input of a `repeat`, once a pass has ended. Belongs to the plan. */
export class PassLength {
  #numRows: number | undefined;
  #varies = false;

  /** Undefined until a pass has ended, and when passes differ. */
  get numRows(): number | undefined {
    return this.#varies ? undefined : this.#numRows;
  }

  /** Takes the length of a pass that has ended. */
  learn(numRows: number): void {
    if (this.#numRows !== undefined && this.#numRows !== numRows) this.#varies = true;
    this.#numRows = numRows;
  }
}
