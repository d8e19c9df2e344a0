/** Longest stretch of pure computation before the event loop gets a turn; well below the promised 50 ms. */
const STRETCH_MS = 20;

/** Lets timers, sockets and signals in while a pass computes. One per pass. */
export class Pacer {
  #due: number = performance.now() + STRETCH_MS;

  /** A promise to await when a turn of the event loop is due, else undefined: nothing is allocated then. */
  pause(): Promise<void> | undefined {
    return performance.now() < this.#due ? undefined : this.#turn();
  }

  async #turn(): Promise<void> {
    await new Promise<void>((resolve) => {
      if (typeof setImmediate === "function") setImmediate(resolve);
      else setTimeout(resolve, 0);
    });
    this.#due = performance.now() + STRETCH_MS;
  }
}
