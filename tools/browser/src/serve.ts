import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A running server. `origin` has the form `http://127.0.0.1:PORT`. */
export interface Served {
  readonly origin: string;
  close(): Promise<void>;
}

function contentTypeOf(url: string): string {
  if (url === "/") return "text/html";
  return url.endsWith(".wasm") ? "application/wasm" : "text/javascript";
}

/**
 * Serves files, keyed by URL path, from memory on a free port of 127.0.0.1. If `files` has no page for `/`, serves an empty page
 * there.
 */
export async function serve(files: ReadonlyMap<string, Uint8Array>): Promise<Served> {
  const server = createServer((request, response) => {
    const url = request.url ?? "/";
    const file = files.get(url);
    if (url !== "/" && file === undefined) {
      response.writeHead(404).end();
      return;
    }
    response.setHeader("content-type", contentTypeOf(url));
    response.end(file ?? '<!doctype html><link rel="icon" href="data:,"><title>TFXIO</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
