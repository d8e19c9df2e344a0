/** Tells when a batch has waited long enough. Keeps no process alive. */
export class FlushTimer {
  readonly #afterMs: number | undefined;
  readonly #onDue: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #dueAt = Number.POSITIVE_INFINITY;

  /** @param afterMs absent: a batch is never due. */
  constructor(afterMs: number | undefined, onDue: () => void) {
    this.#afterMs = afterMs;
    this.#onDue = onDue;
  }

  /** True once the time is over. Goes by the clock too: timers cannot fire while records arrive without a pause. */
  get isDue(): boolean {
    return this.#dueAt !== Number.POSITIVE_INFINITY && performance.now() >= this.#dueAt;
  }

  /** Counts from now, unless it counts already. */
  start(): void {
    if (this.#afterMs === undefined || this.#timer !== undefined) return;
    this.#dueAt = performance.now() + this.#afterMs;
    this.#timer = setTimeout(() => {
      // Timers may fire a little before the clock says so.
      this.#dueAt = Number.NEGATIVE_INFINITY;
      this.#onDue();
    }, this.#afterMs);
    // Browsers' timers are numbers.
    (this.#timer as { unref?: () => void }).unref?.();
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#dueAt = Number.POSITIVE_INFINITY;
  }
}
