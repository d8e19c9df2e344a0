/** Larger memory is not worth keeping: filling it takes far longer than having it. */
const MAX_IDLE_BYTES: number = 64 * 2 ** 20;
/** One epoch follows the other; who comes later pays for new memory, in page faults and garbage collections. */
const MAX_IDLE_MS = 10_000;

interface IdleMemory {
  readonly memory: Uint8Array;
  readonly expiry: ReturnType<typeof setTimeout>;
}

/** Memory of the last shuffled read that ended, kept for the next one. */
let idle: IdleMemory | undefined;

/** The memory that is idle, with anything in it, for one taker; undefined when there is none. */
export function takeIdleMemory(): Uint8Array | undefined {
  const memory = idle?.memory;
  clearTimeout(idle?.expiry);
  idle = undefined;
  return memory;
}

/** Keeps memory for the next taker, for ten seconds, unless larger memory is idle. */
export function leaveIdleMemory(memory: Uint8Array): void {
  if (memory.length > MAX_IDLE_BYTES || memory.length <= (idle?.memory.length ?? 0)) return;
  clearTimeout(idle?.expiry);
  const expiry = setTimeout(() => {
    idle = undefined;
  }, MAX_IDLE_MS);
  // Node's timers would keep the process alive; browsers' are numbers.
  (expiry as { unref?: () => void }).unref?.();
  idle = { memory, expiry };
}
