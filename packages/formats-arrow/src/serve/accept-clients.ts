import http from "node:http";
import net from "node:net";
import type { Duplex } from "node:stream";
import type { RecordBatchFactory } from "./batch-source.js";
import { createPasses, type Passes, type PassesSettings } from "./passes.js";

/** A server that is not listening yet, and the passes of its clients. */
export interface AcceptedClients {
  readonly server: net.Server;
  readonly passes: Passes;
  /** Closes the remaining connections. */
  readonly disconnect: () => void;
}

/** Time for a client to close its end of a connection after the end marker, in milliseconds. */
const LINGER_MS = 5000;
/** Idle time in milliseconds after which TCP probes a connection, to detect a client that vanished. */
const KEEP_ALIVE_MS = 30_000;

/** Returns a server that starts a pass for each client as soon as the client connects. */
export function acceptSockets(factory: RecordBatchFactory, settings: PassesSettings): AcceptedClients {
  const sockets = new Set<Duplex>();
  const passes = createPasses(factory, settings);
  // Allow half-open connections. Otherwise, when a client closes its end, Node would end the stream as if it were complete.
  const server = net.createServer({
    allowHalfOpen: true,
    keepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_MS,
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    // Bytes from a client are ignored. A client that closes its end has left.
    socket.resume().once("end", () => socket.destroy());
    const { remoteAddress, remotePort } = socket;
    const client = remoteAddress === undefined ? "" : `${remoteAddress}:${remotePort}`;
    socket.once("finish", () => socket.setTimeout(LINGER_MS, () => socket.destroy()));
    passes.start(socket, client);
  });
  const disconnect = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return { server, passes, disconnect };
}

/** Returns a server that answers each GET with one pass. */
export function acceptRequests(
  factory: RecordBatchFactory,
  settings: PassesSettings & { readonly headers: Readonly<Record<string, string>> },
): AcceptedClients {
  const passes = createPasses(factory, settings);
  const server = http.createServer((request, response) => {
    const { method, socket } = request;
    const isRead = method === "GET" || method === "HEAD";
    response.writeHead(isRead ? 200 : 405, {
      ...(isRead ? { "content-type": "application/vnd.apache.arrow.stream" } : { allow: "GET, HEAD" }),
      ...settings.headers,
    });
    if (method !== "GET") {
      response.end();
      return;
    }
    // Send the headers now, so that the client need not wait for the first batch.
    response.flushHeaders();
    passes.start(response, `${socket.remoteAddress}:${socket.remotePort}`);
  });
  return { server, passes, disconnect: () => server.closeAllConnections() };
}
