import { createReadStream, fstatSync } from "node:fs";
import net from "node:net";
import type { Readable } from "node:stream";
import { onAbort } from "@tfxio/wire";
import { SourceError } from "@tfxio/wire/errors";
import { assertSocketPath } from "../socket-path.js";
import { lostConnection } from "./lost-connection.js";
import type { Endpoint, OpenEndpoint } from "./endpoint.js";

/**
 * Returns a function that opens the byte stream of an endpoint. Aborting the signal destroys the stream, even while its socket is
 * connecting.
 * @throws {SourceError} `io-failed` (`connection`), from the returned function.
 */
export function socketOf(endpoint: Endpoint, uri: string): OpenEndpoint {
  return async ({ signal }) => {
    signal.throwIfAborted();
    const readable = endpoint.kind === "fd" ? descriptor(endpoint.fd, uri) : connection(endpoint, uri);
    // The reader receives errors through the iterator. Errors after the iteration ends have no receiver, so ignore them.
    readable.on("error", () => {});
    const unsubscribe = onAbort(signal, () => readable.destroy());
    readable.once("close", unsubscribe);
    if (endpoint.kind !== "fd") await connected(readable as net.Socket, uri, signal);
    return bytesOf(readable, uri, signal);
  };
}

function connection(endpoint: Exclude<Endpoint, { readonly kind: "fd" }>, uri: string): net.Socket {
  if (endpoint.kind === "unix") {
    assertSocketPath(endpoint.path, uri, "connection");
    return net.connect({ path: endpoint.path });
  }
  const { host, port } = endpoint;
  // Keep-alive probes detect a peer that vanished without closing the connection.
  return net.connect({ host, port, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS });
}

/** Idle time before the first keep-alive probe, in milliseconds. */
const KEEP_ALIVE_MS = 30_000;

function connected(socket: net.Socket, uri: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (cause?: unknown): void => {
      reject(signal.aborted ? signal.reason : noConnection(uri, cause));
    };
    socket.once("connect", resolve).once("error", failed).once("close", failed);
  });
}

/**
 * Returns `process.stdin` for descriptor 0. Opens a regular file as a file stream. Opens a pipe or socket as a socket, so that
 * closing does not wait for another byte.
 */
function descriptor(fd: number, uri: string): Readable {
  if (fd === 0) return process.stdin;
  try {
    if (fstatSync(fd).isFile()) return createReadStream("", { fd });
    return new net.Socket({ fd, readable: true, writable: false });
  } catch (cause) {
    throw noConnection(uri, cause);
  }
}

function noConnection(uri: string, cause: unknown): SourceError {
  const message = `Cannot connect to ${uri}: ${String(cause)}`;
  return new SourceError("io-failed", message, { uri, reason: "connection", cause });
}

async function* bytesOf(
  readable: Readable,
  uri: string,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  let numBytes = 0;
  try {
    for await (const chunk of readable as AsyncIterable<Uint8Array>) {
      numBytes += chunk.length;
      yield chunk;
    }
  } catch (cause) {
    signal.throwIfAborted();
    throw lostConnection(uri, numBytes, cause);
  } finally {
    readable.destroy();
  }
}
