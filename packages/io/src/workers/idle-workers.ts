import { ReadWorker } from "./read-worker.js";

/** Starting a thread takes half a second of processor time, which is little beside this. */
const MAX_IDLE_MS = 10_000;
/** Each holds some tens of megabytes. */
const MAX_IDLE_WORKERS = 8;

interface IdleWorker {
  readonly worker: ReadWorker;
  readonly expiry: ReturnType<typeof setTimeout>;
}

/** Threads between two passes, of all readers of this process. None of them keeps the process alive. */
const idle: IdleWorker[] = [];

/** A thread that nobody else has: one that waits for work, else a new one. @throws {UnsupportedError} as {@link ReadWorker}. */
export function borrowWorker(): ReadWorker {
  for (;;) {
    const last = idle.pop();
    if (last === undefined) return new ReadWorker();
    clearTimeout(last.expiry);
    if (!last.worker.isLost) return last.worker;
  }
}

/** Callers wait so long for a thread to stop, so that the next pass finds it; an abort must not feel slow. */
const GRACE_MS = 10;

/**
 * Ends what `worker` reads, with `reason`; then keeps the thread for a while, or ends one that does not stop. Resolves when
 * that is done, or after {@link GRACE_MS}: the rest happens later.
 */
export async function giveBackWorker(worker: ReadWorker, reason: unknown): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const grace = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, GRACE_MS);
  });
  await Promise.race([keepOrEnd(worker, reason), grace]);
  clearTimeout(timer);
}

async function keepOrEnd(worker: ReadWorker, reason: unknown): Promise<void> {
  if (!(await worker.close(reason)) || idle.length >= MAX_IDLE_WORKERS) {
    await worker.terminate();
    return;
  }
  const expiry = setTimeout(() => {
    idle.splice(idle.indexOf(waiting), 1);
    void worker.terminate();
  }, MAX_IDLE_MS);
  // Node's timers would keep the process alive; browsers' are numbers.
  (expiry as { unref?: () => void }).unref?.();
  const waiting: IdleWorker = { worker, expiry };
  idle.push(waiting);
}
