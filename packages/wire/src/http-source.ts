import { assertByteOffset, clippedRange } from "./byte-range.js";
import type { ByteSource } from "./byte-source.js";
import { assertOptions } from "./check-options.js";
import { concatBytes } from "./concat-bytes.js";
import { SourceError } from "./errors.js";
import { streamChunks } from "./web-stream.js";

/** Options of {@link httpSource}. */
export interface HttpSourceOptions {
  /** Sent with every request, for example an authorization. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Cancels the request for the length. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * A source over an http(s) URL, by fetch. Slices are range requests; a server that ignores ranges is read from the
 * start up to what is asked for.
 *
 * Bytes are asked for as stored (`Accept-Encoding: identity`, which browsers keep to themselves). When a server
 * compresses its answer all the same, fetch undoes that: the length is then unknown and slices with a range fail.
 * @throws {SourceError} `not-found` (status 404 or 410), `io-failed` (no answer). A server that refuses only `HEAD`
 * gives a source without `byteLength`.
 */
export async function httpSource(url: string | URL, options: HttpSourceOptions = {}): Promise<ByteSource> {
  assertOptions(options, ["headers", "signal"], "httpSource");
  const uri = String(url);
  const { headers } = options;
  const head = await request(uri, { method: "HEAD", headers: { ...asStored, ...headers } }, options.signal);
  if (head.status === 404 || head.status === 410) throw statusError(uri, head);
  const byteLength = head.ok ? contentLength(head) : undefined;

  return {
    uri,
    ...(byteLength !== undefined && { byteLength }),
    // Headers may carry secrets, which stay with whoever has this source.
    ...(headers === undefined && { origin: uri }),
    async slice(start, end, { signal } = {}) {
      const range = clippedRange(start, end, byteLength);
      if (range.end === range.start) return new Uint8Array(0);
      const parts: Uint8Array[] = [];
      for await (const chunk of bytesOf(uri, headers, range.start, range.end, signal)) parts.push(chunk);
      return concatBytes(parts);
    },
    stream({ start = 0, signal } = {}) {
      assertByteOffset("start", start);
      return bytesOf(uri, headers, start, undefined, signal);
    },
  };
}

/** With a range, fetch asks for this by itself. */
const asStored = { "accept-encoding": "identity" };

/** The bytes from `start` to `end`, or to the last one, whether or not the server knows ranges. */
async function* bytesOf(
  uri: string,
  headers: Readonly<Record<string, string>> | undefined,
  start: number,
  end?: number,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const isRange = start > 0 || end !== undefined;
  const range = `bytes=${start}-${end === undefined ? "" : end - 1}`;
  const response = await request(
    uri,
    { headers: { ...(isRange ? { range } : asStored), ...headers } },
    signal,
  );
  // Nothing there: the range begins at or after the end.
  if (isRange && response.status === 416) {
    await response.body?.cancel();
    return;
  }
  if (!response.ok) {
    await response.body?.cancel();
    throw statusError(uri, response);
  }
  if (response.status === 206) await assertSameRange(uri, response, start);
  let skip = response.status === 206 ? 0 : start;
  let wanted = end === undefined ? Number.POSITIVE_INFINITY : end - start;
  if (response.body === null) return;
  try {
    for await (const chunk of streamChunks(response.body)) {
      signal?.throwIfAborted();
      const part = chunk.subarray(Math.min(skip, chunk.length)).subarray(0, wanted);
      skip = Math.max(0, skip - chunk.length);
      wanted -= part.length;
      if (part.length > 0) yield part;
      if (wanted === 0) return;
    }
  } catch (cause) {
    throw failure(uri, cause, signal);
  }
}

async function assertSameRange(uri: string, response: Response, start: number): Promise<void> {
  const encoding = response.headers.get("content-encoding") ?? "identity";
  const range = response.headers.get("content-range");
  const first = /^bytes (\d+)-/.exec(range ?? "")?.[1];
  // Absent when a cross-origin server does not expose the header: then only its word 206 is left to go by.
  if (encoding === "identity" && (first === undefined || Number(first) === start)) return;
  await response.body?.cancel();
  throw new SourceError(
    "io-failed",
    encoding === "identity"
      ? `${uri}: asked for bytes from ${start}, the server sent ${range}.`
      : `${uri}: the server sent a part of its ${encoding} form, which cannot be decoded.`,
    { uri, reason: "http-range" },
  );
}

async function request(uri: string, init: RequestInit, signal: AbortSignal | undefined): Promise<Response> {
  signal?.throwIfAborted();
  try {
    return await fetch(uri, signal === undefined ? init : { ...init, signal });
  } catch (cause) {
    throw failure(uri, cause, signal);
  }
}

function failure(uri: string, cause: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return signal.reason;
  // Node's fetch hides the reason ("ECONNREFUSED …") one level down.
  const detail = cause instanceof Error && cause.cause !== undefined ? cause.cause : cause;
  return new SourceError("io-failed", `${uri} cannot be read: ${String(detail)}`, {
    uri,
    cause,
    reason: "http-network",
  });
}

function statusError(uri: string, { status, statusText }: Response): SourceError {
  const isMissing = status === 404 || status === 410;
  return new SourceError(
    isMissing ? "not-found" : "io-failed",
    `${uri}: the server answered ${status} ${statusText}`.trimEnd(),
    { uri, reason: isMissing ? undefined : "http-status" },
  );
}

/** The length as stored; unknown when the answer is not the stored form. */
function contentLength({ headers }: Response): number | undefined {
  const length = headers.get("content-length");
  const encoding = headers.get("content-encoding") ?? "identity";
  return length !== null && /^\d+$/.test(length) && encoding === "identity" ? Number(length) : undefined;
}
