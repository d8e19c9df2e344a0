/** Counts the passes of an operator whose order differs from pass to pass. Belongs to the plan, so it outlives the passes. */
export class PassCount {
  /** Number of the next pass, from 0. */
  next = 0;
  /** The order of a pass is computed from this seed and the pass number. */
  seed: number;
  /** True if the caller gave no seed. Checkpoints must then store the random seed. */
  readonly isDrawn: boolean;

  /** @param seed The caller's seed. If undefined, draws a random integer from 0 to 2^32 - 1. */
  constructor(seed: number | undefined) {
    this.seed = seed ?? Math.floor(Math.random() * 2 ** 32);
    this.isDrawn = seed === undefined;
  }
}

/**
 * Number of rows in one pass over the input of a `repeat`. Becomes known when a pass ends or a checkpoint is restored. Belongs to
 * the plan.
 */
export class PassLength {
  #numRows: number | undefined;
  #varies = false;

  /** Undefined until the first call of `learn`, and again after calls with different lengths. */
  get numRows(): number | undefined {
    return this.#varies ? undefined : this.#numRows;
  }

  /** Records the length of a pass. */
  learn(numRows: number): void {
    if (this.#numRows !== undefined && this.#numRows !== numRows) this.#varies = true;
    this.#numRows = numRows;
  }
}
