import { sliceOf, streamOf } from "./abortable-reads.js";
import { assertByteOffset } from "./byte-range.js";
import type { ByteSource } from "./byte-source.js";
import { aFunction, assertOptions, rule } from "../checks/index.js";
import { assertByteSource } from "./check-source.js";
import { isTfxioError } from "../errors.js";
import { onAbort } from "../linked-signal.js";
import { slicesOf, tailOf } from "./ranged-reads.js";

/** The conditions under which {@link retrying} repeats a read, and the delays between attempts. */
export interface RetryPolicy {
  /**
   * Maximum number of consecutive attempts that deliver no byte, including the first attempt. Default 5. The four default delays
   * between five attempts add up to 1.5 to 3 seconds.
   */
  readonly maxAttempts?: number | undefined;
  /**
   * Like `maxAttempts`, but applied after an attempt that fails with `http-stalled`. Default 2. Each stall takes the
   * `stallTimeoutMs` of `httpSource`, so by default a read from a silent server fails after two minutes.
   */
  readonly maxStalledAttempts?: number | undefined;
  /** Delay in milliseconds before the second attempt. Each further delay is twice as long. Default 200, a few round trips. */
  readonly initialDelayMs?: number | undefined;
  /** Maximum delay in milliseconds. Default 10,000, so that a recovered server is noticed soon. */
  readonly maxDelayMs?: number | undefined;
  /** Returns true if another attempt may succeed after this error. Default {@link isRetryable}. */
  readonly isRetryable?: ((error: unknown) => boolean) | undefined;
}

/**
 * Returns true for temporary failures: `http-network`, `http-stalled`, and `http-status` with status 5xx, 408 (timeout) or 429
 * (too many requests). All other errors, such as `source-changed` and `not-found`, are permanent.
 */
export function isRetryable(error: unknown): boolean {
  if (!isTfxioError(error, "io-failed")) return false;
  const { reason, status = 0 } = error;
  if (reason === "http-network" || reason === "http-stalled") return true;
  return reason === "http-status" && (status >= 500 || status === 408 || status === 429);
}

/**
 * Wraps `source` so that reads are repeated after temporary failures. A stream resumes after the last byte that it delivered,
 * and each delivered chunk resets the number of attempts. Delays double. Each is shortened at random by up to half, so that
 * many readers do not retry at the same moment. When all attempts fail, the last error is thrown unchanged. An abort ends a
 * delay at once.
 * @throws {ArgumentError} `invalid-argument` if a value of the policy is out of range.
 */
export function retrying(source: ByteSource, policy: RetryPolicy = {}): ByteSource {
  assertByteSource(source);
  const retries = checkedPolicy(policy);
  const { uri, byteLength, version, origin, handsOverSlices } = source;
  return {
    uri,
    ...(byteLength !== undefined && { byteLength }),
    ...(version !== undefined && { version }),
    ...(origin !== undefined && { origin }),
    ...(handsOverSlices !== undefined && { handsOverSlices }),
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

/** {@link RetryPolicy} with its defaults filled in. */
export type CheckedRetryPolicy = { readonly [Key in keyof RetryPolicy]-?: NonNullable<RetryPolicy[Key]> };

/** The defaults of {@link RetryPolicy}. `openSources` also uses them for http(s) URLs. */
export const DEFAULT_RETRIES: CheckedRetryPolicy = {
  maxAttempts: 5,
  maxStalledAttempts: 2,
  initialDelayMs: 200,
  maxDelayMs: 10_000,
  isRetryable,
};

/** Calls `run` until it succeeds, fails permanently, or has used all attempts. */
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

/**
 * Waits before the next attempt. Throws `error` if it is permanent or no attempt is left, and the signal's reason on abort.
 * @param attempt Number of the attempt that failed, from 1.
 */
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
      unsubscribe?.();
      resolve();
    }, delayMs);
    const unsubscribe =
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
// If a delay exceeds 2147483647 ms, setTimeout fires at once.
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
