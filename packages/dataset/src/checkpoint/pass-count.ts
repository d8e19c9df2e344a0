/** Counts the passes of an operator that orders each pass differently. Belongs to the plan, so it outlives passes. */
export class PassCount {
  /** Number of the next pass, from 0. */
  next = 0;
  /** The order of a pass derives from this seed and the pass number. */
  seed: number;
  /** True if the caller gave no seed, so that checkpoints must store it. */
  readonly isDrawn: boolean;

  /** @param seed the caller's seed; undefined draws a random one. */
  constructor(seed: number | undefined) {
    this.seed = seed ?? Math.floor(Math.random() * 2 ** 32);
    this.isDrawn = seed === undefined;
  }
}

/** Number of rows in one pass over the input of a `repeat`, learned when a pass ends. Belongs to the plan. */
export class PassLength {
  #numRows: number | undefined;
  #varies = false;

  /** Undefined until a pass has ended, and when passes differ in length. */
  get numRows(): number | undefined {
    return this.#varies ? undefined : this.#numRows;
  }

  /** Records the length of a completed pass. */
  learn(numRows: number): void {
    if (this.#numRows !== undefined && this.#numRows !== numRows) this.#varies = true;
    this.#numRows = numRows;
  }
}
