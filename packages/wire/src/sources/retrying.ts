import { sliceOf, streamOf } from "./abortable-reads.js";
import { assertByteOffset } from "./byte-range.js";
import type { ByteSource } from "./byte-source.js";
import { aFunction, assertOptions, rule } from "../checks/index.js";
import { assertByteSource } from "./check-source.js";
import { isTfxioError } from "../errors.js";
import { onAbort } from "../linked-signal.js";
import { slicesOf, tailOf } from "./ranged-reads.js";

/** When and how often {@link retrying} tries again. */
export interface RetryPolicy {
  /** Attempts in a row that bring no byte, the first included; default 5, which with the delays take 1.5 to 3 seconds. */
  readonly maxAttempts?: number | undefined;
  /**
   * Attempts in a row after which `http-stalled` is final; default 2. Each stall has already cost `stallTimeoutMs`, so by
   * default a silent server fails a read after two minutes.
   */
  readonly maxStalledAttempts?: number | undefined;
  /** Delay before the second attempt; each later one doubles it. Default 200: a few round trips. */
  readonly initialDelayMs?: number | undefined;
  /** Longest delay; default 10,000, so that a server that is back is not left waiting. */
  readonly maxDelayMs?: number | undefined;
  /** Whether another attempt may help; default {@link isRetryable}. */
  readonly isRetryable?: ((error: unknown) => boolean) | undefined;
}

/**
 * True for failures that pass: `http-network`, `http-stalled`, and `http-status` with 5xx, 408 (timeout) or 429 (too
 * many requests). Never for `source-changed` or `not-found`.
 */
export function isRetryable(error: unknown): boolean {
  if (!isTfxioError(error, "io-failed")) return false;
  const { reason, status = 0 } = error;
  if (reason === "http-network" || reason === "http-stalled") return true;
  return reason === "http-status" && (status >= 500 || status === 408 || status === 429);
}

/**
 * `source`, whose reads are tried again when they fail for a while. A stream goes on after the last byte that it
 * delivered, and its attempts count anew from each chunk. Delays double, and a random half of each is left out, so that
 * many readers do not come back at once. When all attempts fail, the last error is thrown as it is. A wait ends at once
 * when the signal aborts.
 * @throws {ArgumentError} `invalid-argument` for a policy that is out of range.
 */
export function retrying(source: ByteSource, policy: RetryPolicy = {}): ByteSource {
  assertByteSource(source);
  const retries = checkedPolicy(policy);
  const { uri, byteLength, version, origin } = source;
  return {
    uri,
    ...(byteLength !== undefined && { byteLength }),
    ...(version !== undefined && { version }),
    ...(origin !== undefined && { origin }),
    slice: (start, end, { signal } = {}) =>
      withRetries(() => sliceOf(source, start, end, signal), retries, signal),
    slices: (ranges, { signal } = {}) =>
      withRetries(() => slicesOf(source, ranges, { signal }), retries, signal),
    tail: (numBytes, { signal } = {}) =>
      withRetries(() => tailOf(source, numBytes, { signal }), retries, signal),
    async *stream({ start = 0, signal, reuseChunks } = {}) {
      assertByteOffset("start", start);
      let position = start;
      for (let attempt = 1; ; attempt++) {
        try {
          for await (const chunk of streamOf(source, { start: position, signal, reuseChunks })) {
            position += chunk.length;
            attempt = 0;
            yield chunk;
          }
          return;
        } catch (error) {
          await beforeRetry(error, Math.max(1, attempt), retries, signal);
        }
      }
    },
  };
}

/** {@link RetryPolicy} with its defaults. */
export type CheckedRetryPolicy = { readonly [Key in keyof RetryPolicy]-?: NonNullable<RetryPolicy[Key]> };

/** The policy of sources that `openSources` makes. */
export const DEFAULT_RETRIES: CheckedRetryPolicy = {
  maxAttempts: 5,
  maxStalledAttempts: 2,
  initialDelayMs: 200,
  maxDelayMs: 10_000,
  isRetryable,
};

/** What `run` gives, from the first attempt that does not fail for a while. */
export async function withRetries<Result>(
  run: () => Promise<Result>,
  retries: CheckedRetryPolicy,
  signal: AbortSignal | undefined,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      await beforeRetry(error, attempt, retries, signal);
    }
  }
}

/** Waits before the attempt after number `attempt`. @throws `error` when there is none, the signal's reason on abort. */
async function beforeRetry(
  error: unknown,
  attempt: number,
  retries: CheckedRetryPolicy,
  signal: AbortSignal | undefined,
): Promise<void> {
  signal?.throwIfAborted();
  const { maxAttempts, maxStalledAttempts, initialDelayMs, maxDelayMs } = retries;
  const most = isStall(error) ? Math.min(maxAttempts, maxStalledAttempts) : maxAttempts;
  if (attempt >= most || !retries.isRetryable(error)) throw error;
  const delayMs = Math.min(maxDelayMs, initialDelayMs * 2 ** (attempt - 1));
  await sleep(delayMs * (1 - Math.random() / 2), signal);
}

function isStall(error: unknown): boolean {
  return isTfxioError(error, "io-failed") && error.reason === "http-stalled";
}

function sleep(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      letGo?.();
      resolve();
    }, delayMs);
    const letGo =
      signal &&
      onAbort(signal, () => {
        clearTimeout(timer);
        reject(signal.reason);
      });
  });
}

const attempts = rule(
  "a positive integer or Infinity",
  (value) => value === Number.POSITIVE_INFINITY || (Number.isInteger(value) && (value as number) >= 1),
);
// setTimeout turns a longer delay into none.
const delay = rule(
  "a number of milliseconds from 0 to 2147483647",
  (value) => typeof value === "number" && value >= 0 && value < 2 ** 31,
);

function checkedPolicy(policy: RetryPolicy): CheckedRetryPolicy {
  assertOptions("retrying", policy, {
    maxAttempts: attempts,
    maxStalledAttempts: attempts,
    initialDelayMs: delay,
    maxDelayMs: delay,
    isRetryable: aFunction,
  });
  const {
    maxAttempts = DEFAULT_RETRIES.maxAttempts,
    maxStalledAttempts = DEFAULT_RETRIES.maxStalledAttempts,
    initialDelayMs = DEFAULT_RETRIES.initialDelayMs,
    maxDelayMs = DEFAULT_RETRIES.maxDelayMs,
    isRetryable: decide = isRetryable,
  } = policy;
  return { maxAttempts, maxStalledAttempts, initialDelayMs, maxDelayMs, isRetryable: decide };
}
