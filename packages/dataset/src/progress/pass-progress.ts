/** Report on the progress of a pass. */
export interface ProgressEvent {
  /** Number of the pass, from 0. The passes of all iterators share one count. A pass that is never read does not count. */
  readonly epoch: number;
  /**
   * `"complete"`: the pass was read to its end. `"stopped"`: it ended early or with an error. Only the last event of a pass has
   * one of these two states.
   */
  readonly state: "running" | "complete" | "stopped";
  /** Number of elements, such as batches, so far. If the pass resumed from a checkpoint, includes the elements before it. */
  readonly numElements: number;
  /**
   * Number of rows so far. If the pass resumed from a checkpoint, excludes the rows before it. A batch `{ xs, ys }` counts as the
   * rows that it holds, and any other element as one row.
   */
  readonly numRows: number;
  /** Rows per second, averaged over the pass. 0 at its start. */
  readonly rowsPerSecond: number;
  /** Time since the first read of the pass, in milliseconds. */
  readonly elapsedMs: number;
  /**
   * Number of elements in the whole pass. Undefined unless the cardinality is a number, or an earlier pass was read to its end.
   */
  readonly totalElements: number | undefined;
  /** Estimated remaining time in milliseconds, at the rate so far. Undefined until the rate and the total are known. */
  readonly remainingMs: number | undefined;
}

/** Totals shared by the passes of one dataset. */
export interface PassTotals {
  /** Number of passes that have started. */
  numPasses: number;
  /** Number of elements in the last complete pass. */
  numElements: number | undefined;
}

/** Counts the elements of one pass, and reports them at its start, at intervals, and at its end. */
export class PassProgress {
  readonly #totals: PassTotals;
  readonly #epoch: number;
  readonly #totalElements: number | undefined;
  readonly #everyMs: number;
  readonly #tell: (event: ProgressEvent) => void;
  readonly #startMs: number = performance.now();
  #lastMs: number = this.#startMs;
  /** Number of elements that were skipped, for example because the pass resumed after them. Excluded from the rate. */
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

  /** Records that the pass skipped `numElements` elements, for example to resume from a checkpoint. */
  resumesAfter(numElements: number): void {
    this.#numBefore += numElements;
    this.#numElements += numElements;
  }

  /** Records elements that were read. Reports them if the last report is at least `everyMs` old. */
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
