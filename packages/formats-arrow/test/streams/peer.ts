import net from "node:net";

/** A server of raw bytes, with the state of its clients. */
export interface Peer {
  readonly endpoint: string;
  readonly numConnections: () => number;
  /** Resolves when no client is connected. */
  readonly deserted: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Starts a peer that calls `serve` for each socket. */
export async function peer(serve: (socket: net.Socket) => void): Promise<Peer> {
  const sockets = new Set<net.Socket>();
  let numConnections = 0;
  const server = net.createServer({ allowHalfOpen: true }, (socket) => {
    numConnections++;
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    socket.resume().on("end", () => socket.end());
    serve(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as net.AddressInfo;
  return {
    endpoint: `127.0.0.1:${port}`,
    numConnections: () => numConnections,
    deserted: () => eventually(() => sockets.size === 0),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Waits until `holds` returns true. Throws after ten seconds. */
export async function eventually(holds: () => boolean): Promise<void> {
  for (const start = performance.now(); !holds(); await pause(5)) {
    if (performance.now() - start > 10_000) throw new Error(`the condition never holds: ${String(holds)}`);
  }
}

export function pause(delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, delayMs);
  });
}

/** Returns the number of TCP connections of this process, including pending ones. */
export function numOpenSockets(): number {
  return process.getActiveResourcesInfo().filter((name) => /^TCP.*(?:Socket|Connect)/.test(name)).length;
}
