import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { httpSource } from "../src/http-source.js";
import { openSources } from "../src/open-sources.js";
import { collect, failure } from "./sources.js";

const bytes = Uint8Array.from({ length: 300_000 }, (_, index) => index * 11);
let server: Server;
let base = "";
const seen: IncomingMessage[] = [];

/** What the test server does, by path. */
const answers: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
  "/ranges": (request, response) => {
    const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "");
    if (range === null) {
      response.setHeader("content-length", bytes.length);
      response.end(request.method === "HEAD" ? undefined : bytes);
      return;
    }
    const start = Number(range[1]);
    const end = Math.min(range[2] === "" ? bytes.length : Number(range[2]) + 1, bytes.length);
    if (start >= bytes.length) {
      response.writeHead(416).end();
      return;
    }
    response.writeHead(206, { "content-range": `bytes ${start}-${end - 1}/${bytes.length}` });
    response.end(bytes.subarray(start, end));
  },
  "/no-ranges": (request, response) => {
    response.setHeader("content-length", bytes.length);
    response.end(request.method === "HEAD" ? undefined : bytes);
  },
  "/no-head": (request, response) => {
    if (request.method === "HEAD") response.writeHead(405).end();
    else response.end(bytes);
  },
  "/encoded": (request, response) => {
    const encoded = gzipSync(bytes);
    const range = request.headers.range !== undefined;
    response.writeHead(range ? 206 : 200, {
      "content-encoding": "gzip",
      "content-length": range ? 10 : encoded.length,
      ...(range && { "content-range": `bytes 5-14/${encoded.length}` }),
    });
    response.end(request.method === "HEAD" ? undefined : range ? encoded.subarray(5, 15) : encoded);
  },
  "/wrong-range": (request, response) => {
    if (request.headers.range === undefined) response.end();
    else response.writeHead(206, { "content-range": "bytes 7-9/10" }).end("abc");
  },
  "/broken": (request, response) => {
    response.writeHead(200, { "content-length": bytes.length });
    if (request.method === "HEAD") response.end();
    else response.write(bytes.subarray(0, 100_000), () => response.destroy());
  },
  "/slow": (request, response) => {
    response.writeHead(200, { "content-length": bytes.length });
    if (request.method === "HEAD") response.end();
    else response.write(bytes.subarray(0, 1000));
  },
  "/error": (_, response) => response.writeHead(503, "Overloaded").end(),
};

beforeAll(async () => {
  server = createServer((request, response) => {
    seen.push(request);
    const answer = answers[request.url ?? ""];
    if (answer === undefined) response.writeHead(404).end();
    else answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

describe("httpSource", () => {
  for (const name of ["/ranges", "/no-ranges", "/no-head"]) {
    test(`slices and streams from a server with ${name.slice(1)}`, async () => {
      const source = await httpSource(base + name);
      expect(source.uri).toBe(base + name);
      expect(source.byteLength).toBe(name === "/no-head" ? undefined : 300_000);
      expect(await source.slice(200_000, 200_003)).toEqual(bytes.subarray(200_000, 200_003));
      expect(await source.slice(299_999, 400_000)).toHaveLength(1);
      expect(await source.slice(300_000, 300_001)).toHaveLength(0);
      expect(await source.slice(5, 5)).toHaveLength(0);
      for (const start of [0, 100_000, 300_000]) {
        expect(Buffer.compare(await collect(source.stream({ start })), bytes.subarray(start))).toBe(0);
      }
    });
  }

  test("asks for stored bytes, for one range, and sends the caller's headers", async () => {
    const source = await httpSource(new URL(`${base}/ranges`), { headers: { authorization: "Bearer me" } });
    expect(source.origin).toBeUndefined();
    expect((await httpSource(`${base}/ranges`)).origin).toBe(`${base}/ranges`);
    seen.length = 0;
    await source.slice(10, 20);
    expect(seen).toHaveLength(1);
    expect(seen[0]!.headers).toMatchObject({
      range: "bytes=10-19",
      authorization: "Bearer me",
      "accept-encoding": "identity",
    });
  });

  test("streams what a server compresses all the same, but knows neither its length nor its parts", async () => {
    const source = await httpSource(`${base}/encoded`);
    expect(source.byteLength).toBeUndefined();
    expect(Buffer.compare(await collect(source.stream()), bytes)).toBe(0);
    expect(await failure(source.slice(5, 15), "io-failed")).toMatchObject({ reason: "http-range" });
  });

  test("refuses a part that was not asked for", async () => {
    const source = await httpSource(`${base}/wrong-range`);
    expect(await failure(collect(source.stream({ start: 5 })), "io-failed")).toMatchObject({
      reason: "http-range",
    });
  });

  test("tells missing from broken", async () => {
    const uri = `${base}/missing`;
    expect(await failure(openSources(uri), "not-found")).toMatchObject({ uri });
    const error = await failure(collect((await httpSource(`${base}/error`)).stream()), "io-failed");
    expect(error).toMatchObject({ uri: `${base}/error`, reason: "http-status" });
    expect(error.message).toContain("503 Overloaded");
  });

  test("reports a connection that breaks, and one that never was", async () => {
    const source = await httpSource(`${base}/broken`);
    expect(await failure(collect(source.stream()), "io-failed")).toMatchObject({ reason: "http-network" });
    const gone = createServer();
    await new Promise<void>((resolve) => gone.listen(0, "127.0.0.1", resolve));
    const { port } = gone.address() as AddressInfo;
    await new Promise((resolve) => gone.close(resolve));
    const error = await failure(httpSource(`http://127.0.0.1:${port}/`), "io-failed");
    expect(error).toMatchObject({ reason: "http-network" });
    expect(error.cause).toBeDefined();
  });

  test("stops while it waits, with the signal's reason", async () => {
    const controller = new AbortController();
    const source = await httpSource(`${base}/slow`);
    const chunks = source.stream({ signal: controller.signal })[Symbol.asyncIterator]();
    expect((await chunks.next()).value).toHaveLength(1000);
    const waiting = chunks.next();
    controller.abort("enough");
    await expect(waiting).rejects.toBe("enough");
    await expect(httpSource(`${base}/slow`, { signal: controller.signal })).rejects.toBe("enough");
  });

  test("lets go of the connection when the loop is left", async () => {
    const source = await httpSource(`${base}/slow`);
    seen.length = 0;
    for await (const _ of source.stream()) break;
    const socket = seen[0]!.socket;
    if (!socket.destroyed) await new Promise((resolve) => socket.once("close", resolve));
    expect(socket.destroyed).toBe(true);
  });
});
