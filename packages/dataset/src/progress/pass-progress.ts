/** Progress of a pass. */
export interface ProgressEvent {
  /** Number of the pass, from 0, counted over all iterators that were read. */
  readonly epoch: number;
  /** `"complete"`: the pass was read to its end. `"stopped"`: it ended early or with an error. Sent once, as the last event. */
  readonly state: "running" | "complete" | "stopped";
  /** Elements so far, such as batches. A pass that resumes from a state includes the elements before it. */
  readonly numElements: number;
  /** Rows so far, excluding rows before a state. Batches `{ xs, ys }` count their rows; other elements count as one. */
  readonly numRows: number;
  /** Rows per second, averaged over the pass. 0 at its start. */
  readonly rowsPerSecond: number;
  readonly elapsedMs: number;
  /** Elements in the whole pass. Undefined unless the dataset knows the number or an earlier pass was complete. */
  readonly totalElements: number | undefined;
  /** Estimated remaining time at the rate so far. Undefined until the rate and the total are known. */
  readonly remainingMs: number | undefined;
}

/** Totals shared by the passes of one dataset. */
export interface PassTotals {
  numPasses: number;
  /** Number of elements in the last complete pass. */
  numElements: number | undefined;
}

/** Counts one pass and reports it at intervals. */
export class PassProgress {
  readonly #totals: PassTotals;
  readonly #epoch: number;
  readonly #totalElements: number | undefined;
  readonly #everyMs: number;
  readonly #tell: (event: ProgressEvent) => void;
  readonly #startMs: number = performance.now();
  #lastMs: number = this.#startMs;
  /** Skipped elements before the resumed position. Excluded from the rate. */
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

  /** Reports the end of the pass. Only the first call has an effect. */
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
