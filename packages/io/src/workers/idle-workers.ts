import { ReadWorker } from "./read-worker.js";

/**
 * Time in milliseconds after which an idle thread is terminated. Threads are kept this long because starting one takes half a
 * second of processor time.
 */
const MAX_IDLE_MS = 10_000;
/** Maximum number of idle threads. Each idle thread holds some tens of megabytes. */
const MAX_IDLE_WORKERS = 8;

interface IdleWorker {
  readonly worker: ReadWorker;
  readonly expiry: ReturnType<typeof setTimeout>;
}

/** Idle threads, which all readers of this process share. They do not keep the process alive. */
const idle: IdleWorker[] = [];

/**
 * Returns a worker thread for exclusive use: an idle thread, or a new thread if none is idle. Give it back with {@link
 * giveBackWorker}.
 * @throws {UnsupportedError} The errors of {@link ReadWorker}.
 */
export function borrowWorker(): ReadWorker {
  for (;;) {
    const last = idle.pop();
    if (last === undefined) return new ReadWorker();
    clearTimeout(last.expiry);
    if (!last.worker.isLost) return last.worker;
  }
}

/**
 * Maximum wait in milliseconds for a thread to stop reading. Most threads stop within this time, and are then free for the next
 * pass. The wait is so short that an abort still feels immediate.
 */
const GRACE_MS = 10;

/**
 * Ends the reads of `worker`, which reject with `reason`. Then keeps the thread for reuse. Terminates it instead if it is lost,
 * if its reads do not stop, or if {@link MAX_IDLE_WORKERS} threads are already idle. Resolves when that is done. If it takes
 * longer than {@link GRACE_MS}, resolves after this time, and the remaining work continues in the background.
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
  // In Node, the timer would keep the process alive. In browsers, timers are numbers and have no method unref.
  (expiry as { unref?: () => void }).unref?.();
  const waiting: IdleWorker = { worker, expiry };
  idle.push(waiting);
}
