import { SourceError } from "../../errors.js";
import { linkSignals } from "../../linked-signal.js";
import { streamChunks } from "../web-stream.js";

/** Settings of all requests to one URL. */
export interface HttpConnection {
  readonly uri: string;
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** See {@link HttpSourceOptions.stallTimeoutMs}. */
  readonly stallTimeoutMs: number;
}

/** A response. The request's stall timeout and abort signal also apply while the body is read. */
export interface HttpReply {
  readonly response: Response;
  /** Returns the body, without empty chunks. Leaving the loop cancels the body. */
  chunks(): AsyncGenerator<Uint8Array, void>;
  /** Unsubscribes from the abort signal. Cancels the body unless `chunks` has begun to read it. Never rejects. */
  close(): Promise<void>;
}

/** Maximum delay of `setTimeout` in milliseconds. With a longer delay, it fires at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/**
 * Sends a request and resolves with the response, whatever its status.
 * @throws {SourceError} `io-failed` (`http-network`, `http-stalled`), also while the body is read. If `signal` aborts, rejects
 *   with its reason.
 */
export async function request(
  connection: HttpConnection,
  init: { readonly method?: string; readonly headers: Readonly<Record<string, string>> },
  signal: AbortSignal | undefined,
): Promise<HttpReply> {
  signal?.throwIfAborted();
  const { uri, stallTimeoutMs } = connection;
  const stall = new AbortController();
  const link = linkSignals(signal, stall.signal);

  const watched = async <Value>(pending: Promise<Value>): Promise<Value> => {
    const isTimed = stallTimeoutMs <= MAX_TIMEOUT_MS;
    const timer = isTimed
      ? setTimeout(() => stall.abort(stalledError(uri, stallTimeoutMs)), stallTimeoutMs)
      : undefined;
    try {
      return await pending;
    } catch (cause) {
      throw link.signal.aborted ? link.signal.reason : networkError(uri, cause);
    } finally {
      clearTimeout(timer);
    }
  };

  try {
    const response = await watched(
      fetch(uri, { ...init, headers: { ...init.headers, ...connection.headers }, signal: link.signal }),
    );
    return {
      response,
      async *chunks() {
        if (response.body === null) return;
        const chunks = streamChunks(response.body);
        try {
          for (;;) {
            const { done, value } = await watched(chunks.next());
            if (done === true) return;
            yield value;
          }
        } finally {
          await chunks.return();
        }
      },
      async close() {
        link.unlink();
        if (response.body !== null && !response.body.locked) await response.body.cancel().catch(() => {});
      },
    };
  } catch (error) {
    link.unlink();
    throw error;
  }
}

/** Returns the error for an unsuccessful status. */
export function statusError(uri: string, { status, statusText }: Response): SourceError {
  const isMissing = status === 404 || status === 410;
  const answer = `${status} ${statusText}`.trimEnd();
  return new SourceError(isMissing ? "not-found" : "io-failed", `${uri}: the server answered ${answer}.`, {
    uri,
    status,
    reason: isMissing ? undefined : "http-status",
  });
}

function networkError(uri: string, cause: unknown): SourceError {
  // Node's fetch stores the actual error, such as "ECONNREFUSED …", in `cause`.
  const detail = cause instanceof Error && cause.cause !== undefined ? cause.cause : cause;
  return new SourceError("io-failed", `${uri} cannot be read: ${String(detail)}`, {
    uri,
    cause,
    reason: "http-network",
  });
}

function stalledError(uri: string, timeoutMs: number): SourceError {
  return new SourceError("io-failed", `${uri}: the server sent nothing for ${timeoutMs} ms.`, {
    uri,
    reason: "http-stalled",
  });
}
