import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from "@jest/globals";
import { httpSource } from "../../src/sources/http/http-source.js";
import { openSources } from "../../src/sources/open-sources.js";
import { collect, failure } from "../sources.js";

const bytes = Uint8Array.from({ length: 300_000 }, (_, index) => index * 11);
let server: Server;
let base = "";
const seen: IncomingMessage[] = [];
/** The content of `/ranges`, and the headers that `/versioned` adds. */
let shownBytes = bytes;
let extra: Record<string, string> = {};

/** The responses of the test server, by path. */
const answers: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
  "/ranges": (request, response) => {
    const range = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? "");
    const { length } = shownBytes;
    if (range === null) {
      response.setHeader("content-length", length);
      response.end(request.method === "HEAD" ? undefined : shownBytes);
      return;
    }
    const isSuffix = range[1] === "";
    const start = isSuffix ? Math.max(0, length - Number(range[2])) : Number(range[1]);
    const end = isSuffix || range[2] === "" ? length : Math.min(Number(range[2]) + 1, length);
    if (start >= length) {
      response.writeHead(416).end();
      return;
    }
    response.writeHead(206, { "content-range": `bytes ${start}-${end - 1}/${length}` });
    response.end(shownBytes.subarray(start, end));
  },
  "/no-ranges": (request, response) => {
    response.setHeader("content-length", bytes.length);
    response.end(request.method === "HEAD" ? undefined : bytes);
  },
  "/no-head": (request, response) => {
    if (request.method === "HEAD") response.writeHead(405).end();
    else response.end(bytes);
  },
  "/no-head-ranges": (request, response) => {
    if (request.method === "HEAD") response.writeHead(405).end();
    else answers["/ranges"]!(request, response);
  },
  "/empty": (request, response) => {
    if (request.method === "HEAD") response.writeHead(405).end();
    else response.writeHead(416, { "content-range": "bytes */0" }).end();
  },
  "/versioned": (request, response) => {
    const body = extra["content-encoding"] === undefined ? bytes : gzipSync(bytes);
    response.writeHead(200, { "content-length": body.length, ...extra });
    response.end(
      request.method === "HEAD"
        ? undefined
        : body.subarray(0, Number(extra["content-length"] ?? body.length)),
    );
  },
  "/short-part": (request, response) => part(request, response, 5),
  "/long-part": (request, response) => part(request, response, 15),
  "/short-whole": (request, response) => whole(request, response, bytes.subarray(1)),
  "/long-whole": (request, response) => whole(request, response, Buffer.concat([bytes, bytes])),
  "/half-range": (request, response) => {
    if (request.method === "HEAD") response.writeHead(200, { "content-length": bytes.length }).end();
    else
      response.writeHead(206, { "content-range": `bytes 10-14/${bytes.length}` }).end(bytes.subarray(10, 15));
  },
  "/silent": () => {},
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

/** Sends `numBytes` bytes as a part that is announced as 10 bytes. */
function part(request: IncomingMessage, response: ServerResponse, numBytes: number): void {
  if (request.method === "HEAD") response.writeHead(405).end();
  else response.writeHead(206, { "content-range": "bytes 10-19/100" }).end(bytes.subarray(0, numBytes));
}

/** Announces 300,000 bytes to HEAD, and sends `body` in chunks without a length. */
function whole(request: IncomingMessage, response: ServerResponse, body: Uint8Array): void {
  if (request.method === "HEAD") response.writeHead(200, { "content-length": bytes.length }).end();
  else {
    response.writeHead(200, { "transfer-encoding": "chunked" });
    response.end(body);
  }
}

beforeAll(async () => {
  server = createServer((request, response) => {
    seen.push(request);
    const answer = answers[request.url ?? ""];
    if (answer === undefined) response.writeHead(404).end();
    else answer(request, response);
  });
  // On a busy machine, more than the default of 5 s may pass between two requests. The server would then reset the connection.
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** Fakes timeouts and intervals, but leaves the listed functions real, because Node's fetch and server use them. */
const onlyTimeouts = {
  doNotFake: ["setImmediate", "clearImmediate", "nextTick", "queueMicrotask", "performance", "Date"],
} satisfies Parameters<typeof jest.useFakeTimers>[0];
afterEach(() => {
  jest.useRealTimers();
});

describe("httpSource", () => {
  for (const [name, behaviour] of [
    ["/ranges", "supports ranges"],
    ["/no-ranges", "ignores ranges"],
    ["/no-head", "rejects HEAD and ignores ranges"],
  ] as const) {
    test(`reads slices and streams from a server that ${behaviour}`, async () => {
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

  test("hands over its slices, so that writing to a slice does not change later slices", async () => {
    const source = await httpSource(`${base}/ranges`);
    expect(source.handsOverSlices).toBe(true);
    for (const end of [10, 250_000]) {
      const first = await source.slice(0, end);
      expect(first.byteLength).toBe(first.buffer.byteLength);
      first.fill(0);
      expect(await source.slice(0, end)).toEqual(bytes.subarray(0, end));
    }
  });

  test("requests a slice as one unencoded range with the caller's headers, and has no `origin` if the caller passes headers", async () => {
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

  test("reads the original bytes of compressed responses, and requests the whole file if ranges are compressed", async () => {
    const source = await httpSource(`${base}/encoded`);
    expect(source.byteLength).toBeUndefined();
    expect(Buffer.compare(await collect(source.stream()), bytes)).toBe(0);
    seen.length = 0;
    expect(await source.slice(5, 15)).toEqual(bytes.subarray(5, 15));
    expect(await source.slice(200_000, 200_003)).toEqual(bytes.subarray(200_000, 200_003));
    expect(seen.map(({ headers }) => headers.range)).toEqual(["bytes=5-14", undefined, undefined]);
    expect(await source.tail!(3)).toEqual(bytes.subarray(-3));
  });

  test("returns the last bytes of a file, even if the length of the file is unknown", async () => {
    for (const name of ["/ranges", "/no-ranges", "/no-head", "/no-head-ranges", "/encoded"]) {
      const source = await httpSource(base + name);
      for (const numBytes of [0, 1, 5000, 300_000, 400_000]) {
        const expected = bytes.subarray(bytes.length - Math.min(numBytes, 300_000));
        expect(Buffer.compare(await source.tail!(numBytes), expected)).toBe(0);
      }
    }
    seen.length = 0;
    await (await httpSource(`${base}/no-head-ranges`)).tail!(5);
    expect(seen.map(({ method, headers }) => [method, headers.range])).toEqual([
      ["HEAD", undefined],
      ["GET", "bytes=-5"],
    ]);
    expect(await (await httpSource(`${base}/empty`)).tail!(5)).toHaveLength(0);
  });

  test.each([
    ["an ETag", { etag: '"one"' }, { etag: '"two"' }, '"one"'],
    [
      "a modification time",
      { "last-modified": "Mon, 01 Jan 2024 00:00:00 GMT", etag: 'W/"same"' },
      { "last-modified": "Tue, 02 Jan 2024 00:00:00 GMT", etag: 'W/"same"' },
      "300000 Mon, 01 Jan 2024 00:00:00 GMT",
    ],
    ["a length", {}, { "content-length": "299999" }, undefined],
  ])("detects by %s that the file has changed", async (_, before, after, version) => {
    extra = before;
    const source = await httpSource(`${base}/versioned`);
    expect(source.version).toBe(version);
    expect(await source.slice(0, 3)).toEqual(bytes.subarray(0, 3));
    extra = after;
    const reads = [() => source.slice(0, 3), () => source.tail!(3), () => collect(source.stream())];
    for (const read of reads) {
      const error = await failure(read, "io-failed");
      expect(error).toMatchObject({ reason: "source-changed", uri: `${base}/versioned` });
      expect(error.message).toMatch(/expected .*, found/);
    }
  });

  test("does not compare ETags of different encodings of a file", async () => {
    extra = { etag: '"one"' };
    const source = await httpSource(`${base}/versioned`);
    extra = { etag: '"one-gzip"', "content-encoding": "gzip" };
    expect(Buffer.compare(await collect(source.stream()), bytes)).toBe(0);
  });

  test("rejects a slice that the file no longer contains", async () => {
    const source = await httpSource(`${base}/ranges`);
    shownBytes = bytes.subarray(0, 100);
    try {
      const error = await failure(source.slice(200, 300), "io-failed");
      expect(error).toMatchObject({ reason: "source-changed" });
    } finally {
      shownBytes = bytes;
    }
  });

  test.each(["/short-part", "/long-part", "/short-whole", "/long-whole"])(
    "rejects a body whose length differs from the announced length: %s",
    async (name) => {
      const source = await httpSource(base + name);
      const reading = name.endsWith("part") ? source.slice(10, 20) : collect(source.stream());
      const error = await failure(reading, "io-failed");
      expect(error).toMatchObject({ reason: "http-length" });
      expect(error.message).toMatch(/announced (10|300000) bytes but sent (more|5|299999)/);
    },
  );

  test("rejects a response with less than the requested range", async () => {
    const source = await httpSource(`${base}/half-range`);
    expect(await failure(source.slice(10, 20), "io-failed")).toMatchObject({ reason: "http-range" });
  });

  test("gives up if no headers or no further body bytes arrive for stallTimeoutMs, and rejects invalid timeouts", async () => {
    jest.useFakeTimers(onlyTimeouts);
    const options = { stallTimeoutMs: 50 };
    const opening = failure(httpSource(`${base}/silent`, options), "io-failed");
    await jest.advanceTimersByTimeAsync(50);
    expect(await opening).toMatchObject({ reason: "http-stalled" });
    const source = await httpSource(`${base}/slow`, options);
    const chunks = source.stream()[Symbol.asyncIterator]();
    expect((await chunks.next()).value).toHaveLength(1000);
    const reading = failure(chunks.next(), "io-failed");
    await jest.advanceTimersByTimeAsync(50);
    expect(await reading).toMatchObject({ reason: "http-stalled", uri: `${base}/slow` });
    for (const stallTimeoutMs of [0, -1, Number.NaN, "5" as never]) {
      await failure(httpSource(base, { stallTimeoutMs }), "invalid-argument");
    }
  });

  test("does not count its reader's time towards stallTimeoutMs", async () => {
    jest.useFakeTimers(onlyTimeouts);
    const source = await httpSource(`${base}/ranges`, { stallTimeoutMs: 30 });
    let numBytes = 0;
    for await (const chunk of source.stream()) {
      await jest.advanceTimersByTimeAsync(80);
      numBytes += chunk.length;
    }
    expect(numBytes).toBe(300_000);
  });

  test("rejects a range that was not requested", async () => {
    const source = await httpSource(`${base}/wrong-range`);
    expect(await failure(collect(source.stream({ start: 5 })), "io-failed")).toMatchObject({
      reason: "http-range",
    });
  });

  test("distinguishes missing files from other failures, and reports the status", async () => {
    const uri = `${base}/missing`;
    expect(await failure(openSources(uri), "not-found")).toMatchObject({ uri });
    const error = await failure(collect((await httpSource(`${base}/error`)).stream()), "io-failed");
    expect(error).toMatchObject({ uri: `${base}/error`, reason: "http-status", status: 503 });
    expect(error.message).toContain("503 Overloaded");
  });

  test("reports a connection that breaks, and a server that cannot be reached", async () => {
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

  test("rejects a pending read with the reason of an aborted signal", async () => {
    const controller = new AbortController();
    const source = await httpSource(`${base}/slow`);
    const chunks = source.stream({ signal: controller.signal })[Symbol.asyncIterator]();
    expect((await chunks.next()).value).toHaveLength(1000);
    const waiting = chunks.next();
    controller.abort("enough");
    await expect(waiting).rejects.toBe("enough");
    await expect(httpSource(`${base}/slow`, { signal: controller.signal })).rejects.toBe("enough");
  });

  test("closes the connection when a loop over a stream ends early", async () => {
    const source = await httpSource(`${base}/slow`);
    seen.length = 0;
    for await (const _ of source.stream()) break;
    const socket = seen[0]!.socket;
    if (!socket.destroyed) await new Promise((resolve) => socket.once("close", resolve));
    expect(socket.destroyed).toBe(true);
  });
});
