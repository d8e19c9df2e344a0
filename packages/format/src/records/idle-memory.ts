/** Larger memory is not kept: filling it takes far longer than allocating it. */
const MAX_IDLE_BYTES: number = 64 * 2 ** 20;
/** Long enough for the next epoch. A later read pays for new memory with page faults and garbage collections. */
const MAX_IDLE_MS = 10_000;

interface IdleMemory {
  readonly memory: Uint8Array;
  readonly expiry: ReturnType<typeof setTimeout>;
}

/** Memory of the last shuffled read that ended, kept for the next one. */
let idle: IdleMemory | undefined;

/** Hands the idle memory, with arbitrary content, to one taker; undefined if no memory is idle. */
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
  // A Node timer would keep the process alive. Timers of browsers are numbers.
  (expiry as { unref?: () => void }).unref?.();
  idle = { memory, expiry };
}
