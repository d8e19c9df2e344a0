/** A signal that aborts with the first of several, and the way to let go of them. */
export interface LinkedSignal {
  readonly signal: AbortSignal;
  /** Removes the listeners: a long-lived signal would otherwise hold on to every read that was ever linked to it. */
  unlink(): void;
}

/** Like `AbortSignal.any`, but detachable. */
export function linkSignals(...sources: readonly (AbortSignal | undefined)[]): LinkedSignal {
  const controller = new AbortController();
  const links: (() => void)[] = [];
  const unlink = (): void => {
    for (const remove of links.splice(0)) remove();
  };
  for (const source of sources) {
    if (source === undefined) continue;
    const abort = (): void => {
      unlink();
      controller.abort(source.reason);
    };
    if (source.aborted) {
      abort();
      break;
    }
    source.addEventListener("abort", abort, { once: true });
    links.push(() => source.removeEventListener("abort", abort));
  }
  return { signal: controller.signal, unlink };
}
