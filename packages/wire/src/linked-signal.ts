import { aFunction, anAbortSignal, invalidArgument, assertArgument } from "./checks/index.js";

/** A signal that aborts with the first of several signals, and a function to unsubscribe from them. */
export interface LinkedSignal {
  readonly signal: AbortSignal;
  /** Removes the listeners. Without this, a long-lived signal would keep in memory every read that was ever linked to it. */
  unlink(): void;
}

/**
 * Combines signals as `AbortSignal.any` does, but {@link LinkedSignal.unlink} can detach the result from them. Undefined
 * sources are skipped.
 * @throws {ArgumentError} `invalid-argument` if a source is neither a signal nor undefined.
 */
export function linkSignals(...sources: readonly (AbortSignal | undefined)[]): LinkedSignal {
  const controller = new AbortController();
  const links: (() => void)[] = [];
  const unlink = (): void => {
    for (const remove of links.splice(0)) remove();
  };
  for (const [index, source] of sources.entries()) {
    if (source === undefined) continue;
    if (!anAbortSignal.holds(source)) {
      unlink();
      throw invalidArgument("sources", anAbortSignal.expected, source, { at: `[${index}]` });
    }
    const abort = (): void => {
      unlink();
      controller.abort(source.reason);
    };
    if (source.aborted) {
      abort();
      break;
    }
    links.push(onAbort(source, abort));
  }
  return { signal: controller.signal, unlink };
}

/** Functions to call when a signal aborts, and the listener that calls them. */
interface Followers {
  readonly all: Set<() => void>;
  readonly tell: () => void;
}

const followersOf = new WeakMap<AbortSignal, Followers>();

/**
 * Calls `follower` when `signal` aborts. The signal must not have aborted yet. All followers of a signal share one listener.
 * Otherwise Node would warn of a memory leak at the eleventh parallel read, although nothing leaks.
 * @returns a function that unsubscribes `follower`.
 * @throws {ArgumentError} `invalid-argument` if `signal` is not a signal or `follower` is not a function.
 */
export function onAbort(signal: AbortSignal, follower: () => void): () => void {
  assertArgument("signal", signal, anAbortSignal, "onAbort");
  assertArgument("follower", follower, aFunction, "onAbort");
  const followers = followersOf.get(signal) ?? newFollowers(signal);
  followers.all.add(follower);
  return () => {
    if (!followers.all.delete(follower) || followers.all.size > 0) return;
    signal.removeEventListener("abort", followers.tell);
    followersOf.delete(signal);
  };
}

function newFollowers(signal: AbortSignal): Followers {
  const all = new Set<() => void>();
  const tell = (): void => {
    for (const follower of all) follower();
  };
  const followers = { all, tell };
  followersOf.set(signal, followers);
  signal.addEventListener("abort", tell, { once: true });
  return followers;
}
