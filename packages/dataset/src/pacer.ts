/** Maximum time in milliseconds to compute before yielding to the event loop. Timers must get a turn at least every 50 ms. */
const STRETCH_MS = 20;
/** Number of elements between two readings of the clock, if elements take almost no time. */
const SKIPPED_ELEMENTS = 3;
/** If less than this time in milliseconds passes between two readings, elements take almost no time. */
const NEXT_TO_NO_TIME_MS = 0.2;

/** Lets timers, sockets and signals run while a pass computes. Each pass has one pacer. */
export class Pacer {
  #last: number = performance.now();
  #due: number = this.#last + STRETCH_MS;
  #numToSkip = 0;

  /**
   * If the event loop must get a turn, returns a promise to await. Otherwise returns undefined, without an allocation. The
   * promise rejects with the reason of an aborted `signal`, so that even an endless computation can be cancelled.
   */
  pause(signal: AbortSignal): Promise<void> | undefined {
    this.#last = performance.now();
    return this.#last < this.#due ? undefined : this.#turn(signal);
  }

  /**
   * Does the same as {@link pause}, for loops that call it once for each element. As long as elements take almost no time, it
   * reads the clock only for every fourth element, because reading the clock takes as long as a short function.
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
