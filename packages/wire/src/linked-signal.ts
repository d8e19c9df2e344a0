import { aFunction, anAbortSignal, assertArgument } from "./checks/index.js";

/** A signal that aborts with the first of several, and the way to let go of them. */
export interface LinkedSignal {
  readonly signal: AbortSignal;
  /** Removes the listeners: a long-lived signal would otherwise hold on to every read that was ever linked to it. */
  unlink(): void;
}

/** Like `AbortSignal.any`, but detachable. @throws {ArgumentError} `invalid-argument` for what is not a signal. */
export function linkSignals(...sources: readonly (AbortSignal | undefined)[]): LinkedSignal {
  const controller = new AbortController();
  const links: (() => void)[] = [];
  const unlink = (): void => {
    for (const remove of links.splice(0)) remove();
  };
  for (const source of sources) {
    if (source === undefined) continue;
    if (!anAbortSignal.holds(source)) unlink();
    assertArgument("sources", source, anAbortSignal);
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

interface Followers {
  readonly all: Set<() => void>;
  readonly tell: () => void;
}

const followersOf = new WeakMap<AbortSignal, Followers>();

/**
 * Calls `follower` when `signal`, which has not aborted yet, does. All followers of a signal share one listener: at the
 * eleventh Node warns of a leak, which as many reads at once are not.
 * @returns the way to let go of the signal
 * @throws {ArgumentError} `invalid-argument` for what is not a signal or not a function.
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
