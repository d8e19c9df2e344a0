/** Messages in order of arrival, for a single consumer that awaits each one. */
export class MessageQueue<T> {
  readonly #messages: T[] = [];
  #failure: { readonly reason: unknown } | undefined;
  #wake: (() => void) | undefined;

  push(message: T): void {
    this.#messages.push(message);
    this.#wake?.();
  }

  /** Makes every later `next` reject with the first reason given. Queued messages are not delivered. */
  fail(reason: unknown): void {
    this.#failure ??= { reason };
    this.#wake?.();
  }

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
