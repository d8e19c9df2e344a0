/** Longest stretch of pure computation before the event loop gets a turn; well below the promised 50 ms. */
const STRETCH_MS = 20;

/** Lets timers, sockets and signals in while a pass computes. One per pass. */
export class Pacer {
  #due: number = performance.now() + STRETCH_MS;

  /**
   * A promise to await when a turn of the event loop is due, else undefined: nothing is allocated then. Rejects with the
   * reason of `signal` if that is aborted, so that whatever computes without end can be cancelled.
   */
  pause(signal: AbortSignal): Promise<void> | undefined {
    return performance.now() < this.#due ? undefined : this.#turn(signal);
  }

  async #turn(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      if (typeof setImmediate === "function") setImmediate(resolve);
      else setTimeout(resolve, 0);
    });
    this.#due = performance.now() + STRETCH_MS;
    signal.throwIfAborted();
  }
}
