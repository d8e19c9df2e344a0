/** Longest stretch of pure computation before yielding to the event loop; well below the promised 50 ms. */
const STRETCH_MS = 20;
/** Number of elements to skip the clock for, after elements that took almost no time. */
const SKIPPED_ELEMENTS = 3;
const NEXT_TO_NO_TIME_MS = 0.2;

/** Yields to timers, sockets and signals while a pass computes. One per pass. */
export class Pacer {
  #last: number = performance.now();
  #due: number = this.#last + STRETCH_MS;
  #numToSkip = 0;

  /**
   * A promise to await when the event loop is due a turn; otherwise undefined, without an allocation. Rejects with the
   * reason of `signal` once it is aborted, so that even an endless computation is cancellable.
   */
  pause(signal: AbortSignal): Promise<void> | undefined {
    this.#last = performance.now();
    return this.#last < this.#due ? undefined : this.#turn(signal);
  }

  /**
   * Like {@link pause}, for loops that call it once per element. While elements take almost no time, it reads the clock only
   * for one in four, because that costs as much as a short function.
   */
  pauseAtElement(signal: AbortSignal): Promise<void> | undefined {
    if (this.#numToSkip > 0) {
      this.#numToSkip--;
      return undefined;
    }
    const before = this.#last;
    const pause = this.pause(signal);
    if (this.#last - before < NEXT_TO_NO_TIME_MS) this.#numToSkip = SKIPPED_ELEMENTS;
    return pause;
  }

  async #turn(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      if (typeof setImmediate === "function") setImmediate(resolve);
      else setTimeout(resolve, 0);
    });
    this.#last = performance.now();
    this.#due = this.#last + STRETCH_MS;
    signal.throwIfAborted();
  }
}
