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
  /** Longest time until a connection is open. Default 10,000: packets that are lost are sent again several times until then. */
  readonly connectTimeoutMs?: number | undefined;
  /**
   * Longest time without a byte while bytes are awaited. Default `Infinity`: a server may take long to compute a batch. Set it
   * where a peer may vanish without closing its connection.
   */
  readonly idleTimeoutMs?: number | undefined;
  /**
   * Attempts of a pass until its first byte arrives, and the time between them. Default one attempt. A break after the first
   * byte is always an error.
   */
  readonly retry?: { readonly attempts: number; readonly delayMs: number } | undefined;
  /**
   * Default true: a connection that closes without the end marker of Arrow streams is `truncated-record` (`end-marker`). False
   * accepts a close between two record batches as the end. A server that died then looks like one that finished.
   */
  readonly requireEndOfStream?: boolean | undefined;
  /** Bounds on what the peer may make this process allocate. Default as for files; give less for peers you do not trust. */
  readonly limits?: Partial<Limits> | undefined;
}

const aRetry: Rule = rule("{ attempts, delayMs }", (value) => {
  const { attempts, delayMs, ...others } = membersOf(value);
  const hasNoOthers = isObject(value) && Object.keys(others).length === 0;
  return hasNoOthers && aPositiveInteger.holds(attempts) && aNumber(0, MAX_TIMEOUT_MS).holds(delayMs);
});

/** What the options of a client must be, for functions that take them among their own. */
export const STREAM_CLIENT_RULES: OptionRules<StreamClientOptions> = {
  connectTimeoutMs: aTimeout,
  idleTimeoutMs: aTimeout,
  retry: aRetry,
  requireEndOfStream: aBoolean,
  // Checked one by one, where they are filled up with the defaults.
  limits: null,
};
