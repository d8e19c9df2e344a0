/** Messages in order of arrival, for a single consumer that awaits one message at a time. */
export class MessageQueue<T> {
  readonly #messages: T[] = [];
  #failure: { readonly reason: unknown } | undefined;
  #wake: (() => void) | undefined;

  push(message: T): void {
    this.#messages.push(message);
    this.#wake?.();
  }

  /**
   * Makes the pending and every later `next` reject with `reason`. Queued messages are not delivered. Only the first call has an
   * effect.
   */
  fail(reason: unknown): void {
    this.#failure ??= { reason };
    this.#wake?.();
  }

  /** Returns the next message as soon as it arrives. */
  async next(): Promise<T> {
    for (;;) {
      if (this.#failure !== undefined) throw this.#failure.reason;
      const message = this.#messages.shift();
      if (message !== undefined) return message;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }
}
