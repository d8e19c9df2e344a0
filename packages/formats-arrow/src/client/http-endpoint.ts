import { SourceError } from "@tfxio/wire/errors";
import { lostConnection } from "./lost-connection.js";
import type { OpenEndpoint } from "./endpoint.js";

/** Returns a function that sends a GET request and opens the body of the response. */
export function httpEndpoint(url: URL): OpenEndpoint {
  const uri = url.href;
  return async ({ signal }) => {
    const { ok, status, body } = await fetched(url, signal);
    if (ok && body !== null) return bytesOf(body, uri, signal);
    await body?.cancel();
    const expected = ok
      ? "a stream of record batches"
      : "a status from 200 to 299 and a stream of record batches";
    const message = `${uri} answered with status ${status}${ok ? " but no body" : ""}, expected ${expected}.`;
    throw new SourceError("io-failed", message, { uri, status, reason: "http-status" });
  };
}

async function fetched(url: URL, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(url, { signal });
  } catch (cause) {
    signal.throwIfAborted();
    const message = `Cannot connect to ${url.href}: ${String((cause as Error).cause ?? cause)}`;
    throw new SourceError("io-failed", message, { uri: url.href, reason: "connection", cause });
  }
}

async function* bytesOf(
  body: ReadableStream<Uint8Array>,
  uri: string,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body.getReader();
  let numBytes = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      numBytes += value.length;
      yield value;
    }
  } catch (cause) {
    signal.throwIfAborted();
    throw lostConnection(uri, numBytes, cause);
  } finally {
    reader.cancel().catch(() => undefined);
  }
}
