/** A timer for the maximum wait of a batch. It does not keep the process alive. */
export class FlushTimer {
  readonly #afterMs: number | undefined;
  readonly #onDue: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #dueAt = Number.POSITIVE_INFINITY;

  /**
   * @param afterMs Maximum wait in milliseconds. Undefined: a batch is never due.
   * @param onDue Called when the timer expires.
   */
  constructor(afterMs: number | undefined, onDue: () => void) {
    this.#afterMs = afterMs;
    this.#onDue = onDue;
  }

  /** True after the maximum wait. Also checks the clock, because timers cannot fire while records arrive without a pause. */
  get isDue(): boolean {
    return this.#dueAt !== Number.POSITIVE_INFINITY && performance.now() >= this.#dueAt;
  }

  /** Starts the timer, unless it is already running. */
  start(): void {
    if (this.#afterMs === undefined || this.#timer !== undefined) return;
    this.#dueAt = performance.now() + this.#afterMs;
    this.#timer = setTimeout(() => {
      // Timers may fire slightly before the clock reaches their time.
      this.#dueAt = Number.NEGATIVE_INFINITY;
      this.#onDue();
    }, this.#afterMs);
    // In browsers, timers are numbers without unref.
    (this.#timer as { unref?: () => void }).unref?.();
  }

  /** Stops the timer. {@link start} begins a new wait. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#dueAt = Number.POSITIVE_INFINITY;
  }
}
