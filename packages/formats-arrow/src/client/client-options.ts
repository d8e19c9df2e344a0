import type { Limits } from "@tfxio/format";
import {
  aBoolean,
  aNumber,
  aPositiveInteger,
  isObject,
  membersOf,
  type OptionRules,
  type Rule,
  rule,
} from "@tfxio/wire/checks";
import { aTimeout, MAX_TIMEOUT_MS } from "../timeout-rule.js";

/** Options of a client. */
export interface StreamClientOptions {
  /** Longest time to open a connection, in milliseconds. Default 10,000: enough time to resend lost packets several times. */
  readonly connectTimeoutMs?: number | undefined;
  /**
   * Longest wait for the next byte, in milliseconds. Default `Infinity`, because a server may compute a batch for a long time.
   * Set a limit if a peer may vanish without closing its connection.
   */
  readonly idleTimeoutMs?: number | undefined;
  /**
   * Number of attempts to receive the first byte of a pass, and the delay between them in milliseconds. Default: one attempt. A
   * connection that breaks after the first byte is always an error.
   */
  readonly retry?: { readonly attempts: number; readonly delayMs: number } | undefined;
  /**
   * Requires Arrow's end marker at the end of a stream. Default true: if the connection closes after a complete message but
   * before the marker, the error is `truncated-record` (`end-marker`). With `false`, the stream then ends without an error, so a
   * crashed server may look like one that has finished.
   */
  readonly requireEndOfStream?: boolean | undefined;
  /** Limits on the memory that a peer can make this process allocate. Default: as for files. Lower them for untrusted peers. */
  readonly limits?: Partial<Limits> | undefined;
}

const aDelay = aNumber(0, MAX_TIMEOUT_MS);
const aRetry: Rule = rule(
  `{ attempts, delayMs }, where attempts is ${aPositiveInteger.expected} and delayMs is ${aDelay.expected}`,
  (value) => {
    const { attempts, delayMs, ...others } = membersOf(value);
    const hasNoOthers = isObject(value) && Object.keys(others).length === 0;
    return hasNoOthers && aPositiveInteger.holds(attempts) && aDelay.holds(delayMs);
  },
);

/** Rules for the options of a client, for functions that accept them among other options. */
export const STREAM_CLIENT_RULES: OptionRules<StreamClientOptions> = {
  connectTimeoutMs: aTimeout,
  idleTimeoutMs: aTimeout,
  retry: aRetry,
  requireEndOfStream: aBoolean,
  // Each limit is checked when defaults are filled in.
  limits: null,
};
