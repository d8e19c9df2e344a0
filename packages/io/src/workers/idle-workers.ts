import { ReadWorker } from "./read-worker.js";

/** Time in milliseconds after which an idle thread ends. Starting one takes half a second of processor time. */
const MAX_IDLE_MS = 10_000;
/** Maximum number of idle threads. Each one holds some tens of megabytes. */
const MAX_IDLE_WORKERS = 8;

interface IdleWorker {
  readonly worker: ReadWorker;
  readonly expiry: ReturnType<typeof setTimeout>;
}

/** Idle threads, shared by all readers of this process. None of them keeps the process alive. */
const idle: IdleWorker[] = [];

/**
 * Returns a thread for exclusive use: an idle thread, or a new thread if none is idle.
 * @throws {UnsupportedError} as {@link ReadWorker}.
 */
export function borrowWorker(): ReadWorker {
  for (;;) {
    const last = idle.pop();
    if (last === undefined) return new ReadWorker();
    clearTimeout(last.expiry);
    if (!last.worker.isLost) return last.worker;
  }
}

/** Maximum wait in milliseconds for a thread to stop. The next pass can then reuse it, and an abort still feels immediate. */
const GRACE_MS = 10;

/**
 * Ends the reads of `worker` with `reason`. Then keeps the thread idle for a while, or ends a thread that does not stop. Resolves
 * when that is done, or after {@link GRACE_MS}; the rest then happens later.
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
  // In Node the timer would keep the process alive. In browsers, timers are numbers without unref.
  (expiry as { unref?: () => void }).unref?.();
  const waiting: IdleWorker = { worker, expiry };
  idle.push(waiting);
}
