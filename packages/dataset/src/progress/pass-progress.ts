/** Progress of a pass. */
export interface ProgressEvent {
  /** Number of the pass, from 0, over all iterators that were read. */
  readonly epoch: number;
  /** `"complete"`: it was read to the end; `"stopped"`: it ended early, also by an error. Both come once, and last. */
  readonly state: "running" | "complete" | "stopped";
  /** Elements so far, such as batches; in a pass that resumes from a state, with those before it. */
  readonly numElements: number;
  /** Rows so far, without those before a state: the rows of batches `{ xs, ys }`, and one for each other element. */
  readonly numRows: number;
  /** Rows in a second, on average over the pass. 0 at its start. */
  readonly rowsPerSecond: number;
  readonly elapsedMs: number;
  /** Elements of the whole pass, where the dataset knows them, or an earlier pass was complete. */
  readonly totalElements: number | undefined;
  /** Time that is left of the pass at the rate so far; undefined until both are known. */
  readonly remainingMs: number | undefined;
}

/** Totals that the passes of one dataset share. */
export interface PassTotals {
  numPasses: number;
  /** Elements of the last complete pass. */
  numElements: number | undefined;
}

/** The counts of one pass, and when they are told. */
export class PassProgress {
  readonly #totals: PassTotals;
  readonly #epoch: number;
  readonly #totalElements: number | undefined;
  readonly #everyMs: number;
  readonly #tell: (event: ProgressEvent) => void;
  readonly #startMs: number = performance.now();
  #lastMs: number = this.#startMs;
  /** Elements before the start of this pass. They took no time. */
  #numBefore = 0;
  #numElements = 0;
  #numRows = 0;
  #isEnded = false;

  constructor(
    totals: PassTotals,
    totalElements: number | undefined,
    everyMs: number,
    tell: (event: ProgressEvent) => void,
  ) {
    this.#totals = totals;
    this.#epoch = totals.numPasses++;
    this.#totalElements = totalElements;
    this.#everyMs = everyMs;
    this.#tell = tell;
    tell(this.#event("running", this.#startMs));
  }

  /** Records that a pass resumes after the elements of an earlier one. */
  goesOnBehind(numElements: number): void {
    this.#numBefore += numElements;
    this.#numElements += numElements;
  }

  adds(numElements: number, numRows: number): void {
    this.#numElements += numElements;
    this.#numRows += numRows;
    const now = performance.now();
    if (now - this.#lastMs < this.#everyMs) return;
    this.#lastMs = now;
    this.#tell(this.#event("running", now));
  }

  /** Only the first call counts. */
  ends(state: "complete" | "stopped"): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    if (state === "complete") this.#totals.numElements = this.#numElements;
    this.#tell(this.#event(state, performance.now()));
  }

  #event(state: ProgressEvent["state"], now: number): ProgressEvent {
    const elapsedMs = now - this.#startMs;
    const total = this.#totalElements;
    const left = total === undefined ? undefined : Math.max(0, total - this.#numElements);
    const numRated = this.#numElements - this.#numBefore;
    const isRated = left !== undefined && numRated > 0;
    return {
      epoch: this.#epoch,
      state,
      numElements: this.#numElements,
      numRows: this.#numRows,
      rowsPerSecond: elapsedMs === 0 ? 0 : (this.#numRows / elapsedMs) * 1000,
      elapsedMs,
      totalElements: total,
      remainingMs: isRated ? (elapsedMs / numRated) * left : undefined,
    };
  }
}
