import { SourceError } from "../../errors.js";
import { assertSameFile, type HttpIdentity, identityOf, lengthError } from "./http-identity.js";
import { type HttpConnection, type HttpReply, request, statusError } from "./http-request.js";
import { sourceChanged } from "../source-changed.js";

/** State of the file behind a URL, as far as the responses have revealed it. */
export interface HttpFile extends HttpConnection {
  /** Identity of the file, from the first accepted response. */
  identity: HttpIdentity | undefined;
  /** True if the server encodes range responses. Ranges of the stored bytes are then unavailable. */
  encodesRanges: boolean;
}

/** Request header that asks for the stored bytes, without compression. For range requests, fetch adds this header itself. */
export const asStored = { "accept-encoding": "identity" };

/** Yields the bytes from `start` to `end` (exclusive), or to the end of the file. Works even if the server ignores ranges. */
export async function* bytesOf(
  file: HttpFile,
  start: number,
  end: number = Number.POSITIVE_INFINITY,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const isRange = start > 0 || end !== Number.POSITIVE_INFINITY;
  const range = `bytes=${start}-${end === Number.POSITIVE_INFINITY ? "" : end - 1}`;
  const reply = await requestBytes(file, isRange ? range : undefined, signal);
  const { response } = reply;
  try {
    // Status 416 means that the file has no byte at or after `start`.
    if (response.status === 416) {
      const { byteLength } = file.identity ?? {};
      if (byteLength === undefined || start >= byteLength) return;
      throw sourceChanged(file.uri, `${byteLength} bytes`, `no byte at ${start}`);
    }
    const isPart = response.status === 206;
    const part = isPart ? assertSameRange(file, response, start, end) : undefined;
    let skip = isPart ? 0 : start;
    let wanted = end - start;
    // If the response promises exactly the requested range, read it to its end, to check that no more bytes follow.
    const isExact = part !== undefined && part.end === end;
    for await (const chunk of bodyOf(file, reply, part)) {
      signal?.throwIfAborted();
      const bytes = chunk.subarray(Math.min(skip, chunk.length)).subarray(0, wanted);
      skip = Math.max(0, skip - chunk.length);
      wanted -= bytes.length;
      if (bytes.length > 0) yield bytes;
      if (wanted === 0 && !isExact) return;
    }
  } finally {
    await reply.close();
  }
}

/**
 * Yields at least the last `numBytes` bytes, or the whole file if it is shorter. `numBytes` must be at least 1. The server may
 * send more, even the whole file, so callers must keep only the end.
 */
export async function* tailBytesOf(
  file: HttpFile,
  numBytes: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void> {
  const reply = await requestBytes(file, `bytes=-${numBytes}`, signal);
  try {
    // A suffix range is unsatisfiable only if the file is empty.
    if (reply.response.status === 416) return;
    yield* bodyOf(file, reply, partOf(reply.response));
  } finally {
    await reply.close();
  }
}

/**
 * Requests bytes, and checks that the file has not changed. Returns a successful reply, or a reply with status 416 to a request
 * for a range.
 */
async function requestBytes(
  file: HttpFile,
  range: string | undefined,
  signal: AbortSignal | undefined,
): Promise<HttpReply> {
  const isRange = range !== undefined && !file.encodesRanges;
  const reply = await request(file, { headers: isRange ? { range } : asStored }, signal);
  const { response } = reply;
  try {
    if (!response.ok && !(isRange && response.status === 416)) throw statusError(file.uri, response);
    const found = identityOf(response);
    if (response.status === 206 && found.encoding !== "identity") {
      file.encodesRanges = true;
      await reply.close();
      return await requestBytes(file, undefined, signal);
    }
    file.identity ??= found;
    assertSameFile(file.uri, file.identity, found);
    return reply;
  } catch (error) {
    await reply.close();
    throw error;
  }
}

/** Yields the body of a reply. If its length was announced, checks that the whole body has this length. */
async function* bodyOf(
  { uri, identity }: HttpFile,
  reply: HttpReply,
  part: Part | undefined,
): AsyncGenerator<Uint8Array, void> {
  const { response } = reply;
  const isPart = response.status === 206;
  const expected = isPart
    ? part && part.end - part.start
    : (identityOf(response).byteLength ?? identity?.byteLength);
  let received = 0;
  for await (const chunk of reply.chunks()) {
    received += chunk.length;
    if (expected !== undefined && received > expected) throw lengthError(uri, expected, "more");
    yield chunk;
  }
  if (expected !== undefined && received < expected) throw lengthError(uri, expected, `${received}`);
}

/** The range that a response with status 206 claims to contain. */
interface Part {
  readonly start: number;
  readonly end: number;
}

/**
 * Reads `Content-Range`. Returns undefined if the header is malformed or absent. Browsers hide it from other origins unless the
 * server exposes it.
 */
function partOf({ headers }: Response): Part | undefined {
  const [, first, last] = /^bytes (\d+)-(\d+)\//.exec(headers.get("content-range") ?? "") ?? [];
  return first === undefined ? undefined : { start: Number(first), end: Number(last) + 1 };
}

/**
 * Checks that a response with status 206 contains the requested range. It may contain less at the end of the file, or if the
 * file's length is unknown. Returns its range, or undefined without `Content-Range`.
 */
function assertSameRange(
  { uri, identity }: HttpFile,
  response: Response,
  start: number,
  end: number,
): Part | undefined {
  const range = response.headers.get("content-range");
  const part = partOf(response);
  // Without the header, the range cannot be checked, and status 206 is trusted.
  if (range === null) return undefined;
  const wantedEnd = Math.min(end, identity?.byteLength ?? identityOf(response).byteLength ?? 0);
  if (part !== undefined && part.start === start && part.end >= wantedEnd) return part;
  const asked = end === Number.POSITIVE_INFINITY ? `from ${start} on` : `${start} to ${end - 1}`;
  throw new SourceError("io-failed", `${uri}: requested bytes ${asked}, but the server sent ${range}.`, {
    uri,
    reason: "http-range",
  });
}
