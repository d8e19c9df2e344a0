import { assertByteOffset, clippedRange } from "../byte-range.js";
import type { ByteSource } from "../byte-source.js";
import { anAbortSignal, anObject, assertOptions, rule } from "../../checks/index.js";
import { concatBytes } from "../../concat-bytes.js";
import { asStored, bytesOf, type HttpFile, tailBytesOf } from "./http-body.js";
import { identityOf, versionOf } from "./http-identity.js";
import { request, statusError } from "./http-request.js";
import { lastBytes } from "../ranged-reads.js";

/** Options of {@link httpSource}. */
export interface HttpSourceOptions {
  /**
   * Headers of every request, for example for authorization. With headers, the source has no {@link ByteSource.origin}, so only
   * this thread can read it.
   */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Maximum time in milliseconds to wait for the next byte. After this time, the read fails with `http-stalled`. The time between
   * a reader's requests for chunks is not included. Default 60,000, like `proxy_read_timeout` of nginx and the idle timeout of
   * AWS load balancers. With `Infinity`, a read never fails with `http-stalled`.
   */
  readonly stallTimeoutMs?: number | undefined;
  /** Cancels the initial `HEAD` request. The signal does not affect later reads. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Creates a source that reads an http(s) URL with fetch. Slices are range requests. If a server ignores ranges, a slice reads the
 * file from its start. Failed requests are not retried, see {@link retrying}.
 *
 * The source's `version` is the strong ETag, or else the length and modification time. A read fails if a response shows that the
 * file has changed, or if a body does not have its announced length.
 *
 * Requests ask for bytes as stored (`Accept-Encoding: identity`; browsers do not let pages set it). If a server compresses its
 * response anyway, fetch decompresses it. The length is then unknown, and slices read from the start. If a server rejects `HEAD`
 * requests, the source has no `byteLength` and no `version`.
 * @throws {SourceError} `not-found` if the status is 404 or 410, or `io-failed` (`http-network`, `http-stalled`). Reads also
 *   reject with `io-failed` (`http-status`, `http-range`, `http-length`, `source-changed`).
 */
export async function httpSource(url: string | URL, options: HttpSourceOptions = {}): Promise<ByteSource> {
  assertOptions("httpSource", options, {
    headers: anObject,
    stallTimeoutMs: rule(
      "a number of milliseconds above 0",
      (value) => typeof value === "number" && value > 0,
    ),
    signal: anAbortSignal,
  });
  const uri = String(url);
  const { headers, stallTimeoutMs = 60_000 } = options;
  const file: HttpFile = { uri, headers, stallTimeoutMs, identity: undefined, encodesRanges: false };
  const head = await request(file, { method: "HEAD", headers: asStored }, options.signal);
  await head.close();
  const { status, ok } = head.response;
  if (status === 404 || status === 410) throw statusError(uri, head.response);
  if (ok) file.identity = identityOf(head.response);
  const byteLength = file.identity?.byteLength;
  const version = file.identity && versionOf(file.identity);

  return {
    uri,
    ...(byteLength !== undefined && { byteLength }),
    ...(version !== undefined && { version }),
    // Headers may contain secrets, which must not be passed to another thread. Without the headers, that thread may be unable to
    // read the URL.
    ...(headers === undefined && { origin: uri }),
    handsOverSlices: true,
    async slice(start, end, { signal } = {}) {
      const range = clippedRange(start, end, byteLength);
      if (range.end === range.start) return new Uint8Array(0);
      const parts: Uint8Array[] = [];
      for await (const chunk of bytesOf(file, range.start, range.end, signal)) parts.push(chunk);
      const [first = new Uint8Array(0)] = parts;
      // Copy a single chunk, which may be a view of a buffer that the runtime owns.
      return parts.length > 1 ? concatBytes(parts) : new Uint8Array(first);
    },
    async tail(numBytes, { signal } = {}) {
      assertByteOffset("numBytes", numBytes);
      return numBytes === 0 ? new Uint8Array(0) : lastBytes(tailBytesOf(file, numBytes, signal), numBytes);
    },
    stream({ start = 0, signal } = {}) {
      assertByteOffset("start", start);
      return bytesOf(file, start, undefined, signal);
    },
  };
}
