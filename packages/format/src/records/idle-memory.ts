/** Memory above this size is not kept, because filling it takes far longer than allocating it. */
const MAX_IDLE_BYTES: number = 64 * 2 ** 20;
/**
 * Time for which memory is kept, long enough for the next epoch to start. New memory costs page faults and garbage collections.
 */
const MAX_IDLE_MS = 10_000;

/** Memory that no read uses, and the timer that frees it. */
interface IdleMemory {
  readonly memory: Uint8Array;
  readonly expiry: ReturnType<typeof setTimeout>;
}

/** The memory of a pool that is no longer used, kept for the next pool. */
let idle: IdleMemory | undefined;

/** Returns the idle memory, with arbitrary content, and no longer keeps it. Undefined if no memory is idle. */
export function takeIdleMemory(): Uint8Array | undefined {
  const memory = idle?.memory;
  clearTimeout(idle?.expiry);
  idle = undefined;
  return memory;
}

/**
 * Keeps memory for ten seconds for the next call to {@link takeIdleMemory}, unless the memory is larger than 64 MiB or no larger
 * than the memory that is already idle.
 */
export function leaveIdleMemory(memory: Uint8Array): void {
  if (memory.length > MAX_IDLE_BYTES || memory.length <= (idle?.memory.length ?? 0)) return;
  clearTimeout(idle?.expiry);
  const expiry = setTimeout(() => {
    idle = undefined;
  }, MAX_IDLE_MS);
  // Without `unref`, a Node timer keeps the process alive. In browsers, timers are numbers and have no `unref`.
  (expiry as { unref?: () => void }).unref?.();
  idle = { memory, expiry };
}
