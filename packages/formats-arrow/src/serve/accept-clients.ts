import http from "node:http";
import net from "node:net";
import type { Duplex } from "node:stream";
import type { RecordBatchFactory } from "./batch-source.js";
import { createPasses, type Passes, type PassesSettings } from "./passes.js";

/** A server, and the passes of its clients. */
export interface AcceptedClients {
  readonly server: net.Server;
  readonly passes: Passes;
  /** Closes the connections that are left. */
  readonly disconnect: () => void;
}

/** How long a client may take to close its end of a connection after the end marker. */
const LINGER_MS = 5000;
const KEEP_ALIVE_MS = 30_000;

/** A server whose clients are sent one pass each as soon as they connect. */
export function acceptSockets(factory: RecordBatchFactory, settings: PassesSettings): AcceptedClients {
  const sockets = new Set<Duplex>();
  const passes = createPasses(factory, settings);
  // Half-open, so that Node does not end the stream by itself, as if it were complete.
  const server = net.createServer({
    allowHalfOpen: true,
    keepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_MS,
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    // What a client sends has no meaning. One that closes its end has left.
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

/** A server that answers each GET with one pass. */
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
    // The client is told that it is served, however long the first batch takes.
    response.flushHeaders();
    passes.start(response, `${socket.remoteAddress}:${socket.remotePort}`);
  });
  return { server, passes, disconnect: () => server.closeAllConnections() };
}
