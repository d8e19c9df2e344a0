import { mkdtemp, rm } from "node:fs/promises";
import { closeSync, openSync, writeFileSync } from "node:fs";
import http from "node:http";
import type net from "node:net";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { createStreamClient } from "@tfxio/formats-arrow/client";
import { serveRecordBatches } from "@tfxio/formats-arrow/serve";
import { writeBatches } from "../written.js";
import { numberedBatches, numbers, numbersOf } from "./numbered.js";
import { eventually, numOpenSockets, pause, type Peer, peer } from "./peer.js";

let stream: Uint8Array;
/** Offsets at which the messages of the stream begin (the schema, two batches, the end marker), and the length of the stream. */
let bounds: readonly number[];
beforeAll(async () => {
  const write = (numBatches: number): Promise<Uint8Array> =>
    writeBatches(numbers, [...numberedBatches(numBatches)], { container: "stream" });
  stream = await write(2);
  const ends = await Promise.all([0, 1, 2].map(async (numBatches) => (await write(numBatches)).length));
  bounds = [0, ...ends.map((end) => end - 8), stream.length];
});

const peers: Peer[] = [];
async function started(serve: (socket: net.Socket) => void): Promise<Peer> {
  const one = await peer(serve);
  peers.push(one);
  return one;
}
afterEach(async () => {
  for (const one of peers.splice(0)) {
    await one.deserted();
    await one.close();
  }
});

/** Reads batches until the read fails. Returns the numbers read before the error, and the error. */
async function failed(
  batches: AsyncIterable<Parameters<typeof numbersOf>[0] extends AsyncIterable<infer B> ? B : never>,
) {
  const found: number[] = [];
  try {
    for await (const batch of batches) found.push(...(batch.getChild("n")!.toArray() as Int32Array));
  } catch (error) {
    return {
      found,
      error: error as Error & { readonly code: string; readonly reason: string; readonly uri: string },
    };
  }
  throw new Error("the read has not failed");
}

describe("a peer that is not ready", () => {
  test("is reported as io-failed, with its endpoint", async () => {
    const gone = await peer(() => {});
    await gone.close();
    const { error } = await failed(createStreamClient(gone.endpoint).recordBatches());
    expect(error).toMatchObject({ code: "io-failed", reason: "connection", uri: gone.endpoint });
  });

  test("is reported as io-failed if its Unix socket is missing", async () => {
    const { error } = await failed(createStreamClient("unix:///no/such.sock").recordBatches());
    expect(error).toMatchObject({ code: "io-failed", reason: "connection", uri: "unix:///no/such.sock" });
  });

  test("is retried until it is available", async () => {
    let numCalls = 0;
    const endpoint = (): AsyncIterable<Uint8Array> => {
      if (++numCalls < 3) throw new Error("not yet");
      return (async function* send() {
        yield stream;
      })();
    };
    const client = createStreamClient(endpoint, { retry: { attempts: 3, delayMs: 1 } });
    expect(await numbersOf(client.recordBatches())).toEqual([0, 1, 2, 3]);
    expect(numCalls).toBe(3);
  });

  test("causes truncated-record after the last attempt if it closes each connection", async () => {
    const closing = await started((socket) => socket.destroy());
    const client = createStreamClient(closing.endpoint, { retry: { attempts: 3, delayMs: 1 } });
    const { error } = await failed(client.recordBatches());
    expect(error).toMatchObject({ code: "truncated-record", uri: closing.endpoint });
    expect(closing.numConnections()).toBe(3);
  });

  test("causes io-failed if it does not answer in time", async () => {
    const client = createStreamClient(() => new Promise(() => {}), { connectTimeoutMs: 20 });
    const { error } = await failed(client.recordBatches());
    expect(error).toMatchObject({ code: "io-failed", reason: "connection-timeout" });
    expect(error).toHaveProperty("message", expect.stringMatching(/ did not answer within 20 ms\.$/));
  });
});

describe("a peer that ends the stream early", () => {
  test("by closing it at any byte causes truncated-record after the complete batches", async () => {
    for (let end = 0; end < stream.length; end++) {
      const cut = createStreamClient(async function* send() {
        yield stream.subarray(0, end);
      });
      const { found, error } = await failed(cut.recordBatches());
      expect({ end, code: error.code }).toEqual({ end, code: "truncated-record" });
      expect(found).toEqual(end < bounds[2]! ? [] : end < bounds[3]! ? [0, 1] : [0, 1, 2, 3]);
    }
  });

  test("by a connection reset at any stage causes truncated-record, without a retry once bytes have arrived", async () => {
    const ends = [0, 5, ...bounds.slice(1, 4).flatMap((bound) => [bound - 1, bound, bound + 3])];
    for (const end of ends) {
      const before = peers.length;
      const resetting = await started((socket) => {
        socket.write(stream.subarray(0, end), () => setTimeout(() => socket.resetAndDestroy(), 20));
      });
      const client = createStreamClient(resetting.endpoint, { retry: { attempts: 2, delayMs: 0 } });
      const { found, error } = await failed(client.recordBatches());
      expect(error).toMatchObject({
        code: "truncated-record",
        reason: "connection-lost",
        uri: resetting.endpoint,
      });
      expect(found).toEqual(end < bounds[2]! ? [] : end < bounds[3]! ? [0, 1] : [0, 1, 2, 3]);
      expect(resetting.numConnections()).toBe(end === 0 ? 2 : 1);
      expect(peers).toHaveLength(before + 1);
    }
  });

  test("after a complete batch causes no error if no end marker is required", async () => {
    const client = createStreamClient(
      async function* send() {
        yield stream.subarray(0, bounds[3]);
      },
      { requireEndOfStream: false },
    );
    expect(await numbersOf(client.recordBatches())).toEqual([0, 1, 2, 3]);
  });
});

describe("a peer that goes silent", () => {
  test.each([
    ["at once", 0],
    ["after the schema", 1],
    ["within a batch", 1.5],
    ["between batches", 2],
    ["before the end marker", 3],
  ])("%s causes io-failed after idleTimeoutMs", async (_, state) => {
    const end = Math.floor((bounds[Math.floor(state)]! + bounds[Math.ceil(state)]!) / 2);
    const silent = await started((socket) => socket.write(stream.subarray(0, end)));
    const client = createStreamClient(silent.endpoint, { idleTimeoutMs: 50 });
    const { found, error } = await failed(client.recordBatches());
    expect(error).toMatchObject({ code: "io-failed", reason: "connection-stalled", uri: silent.endpoint });
    expect(error).toHaveProperty("message", expect.stringMatching(/ has sent nothing for 50 ms\.$/));
    expect(found).toHaveLength(Math.max(0, Math.floor(state) - 1) * 2);
  });

  test("causes no timeout while the consumer does not wait for data", async () => {
    const prompt = await started((socket) => socket.end(stream));
    const batches = createStreamClient(prompt.endpoint, { idleTimeoutMs: 100 }).recordBatches();
    await batches.next();
    await pause(250);
    expect(await numbersOf(batches)).toEqual([2, 3]);
  });
});

describe("bad data from a peer", () => {
  test.each([
    ["text", "garbage!"],
    ["an HTTP response", "HTTP/1.1 400 Bad Request\r\n\r\n"],
    ["zeros", "\0".repeat(64)],
    ["a message of 2 GB", "\xff\xff\xff\xff\xff\xff\xff\x7f"],
    ["a Feather V1 file", "FEA1\0\0\0\0"],
  ])("(%s) causes a TfxioError instead of a hang", async (_, text) => {
    const talking = await started((socket) => socket.end(Buffer.from(text, "latin1")));
    const { found, error } = await failed(createStreamClient(talking.endpoint).recordBatches());
    expect(error.message).toContain(talking.endpoint);
    expect(error.code).toMatch(/^(corrupt-record|truncated-record|malformed-payload|unsupported)$/);
    expect(found).toEqual([]);
  });

  test("is rejected if a message declares a body larger than the limit", async () => {
    const large = await started((socket) => socket.write(stream.subarray(0, bounds[2])));
    const client = createStreamClient(large.endpoint, { limits: { maxPageBytes: 16 } });
    const { error } = await failed(client.recordBatches());
    expect(error).toMatchObject({ code: "limit-exceeded", reason: "page-length" });
  });

  test("causes corrupt-record if a second schema follows a batch", async () => {
    const changing = await started((socket) => {
      socket.end(Buffer.concat([stream.subarray(0, bounds[2]), stream]));
    });
    const { found, error } = await failed(createStreamClient(changing.endpoint).recordBatches());
    expect(error).toMatchObject({ code: "corrupt-record", uri: changing.endpoint });
    expect(found).toEqual([0, 1]);
  });
});

describe("a read of a stream", () => {
  const states = [
    ["while it waits for the schema", 0],
    ["while it waits within the schema", 0.5],
    ["while it waits for a batch", 1],
    ["while it waits within a batch", 1.5],
    ["while it waits for the end marker", 3],
  ] as const;

  test.each(states)(
    "rejects with the abort's reason and closes the socket if it is aborted %s",
    async (_, state) => {
      const end = Math.floor((bounds[Math.floor(state)]! + bounds[Math.ceil(state)]!) / 2);
      const silent = await started((socket) => socket.write(stream.subarray(0, end)));
      const controller = new AbortController();
      setTimeout(() => controller.abort("enough"), 50);
      const reading = failed(
        createStreamClient(silent.endpoint).recordBatches({ signal: controller.signal }),
      );
      expect((await reading).error).toBe("enough");
      await silent.deserted();
      await eventually(() => numOpenSockets() === 0);
    },
  );

  test.each(states)(
    "ends after the received batches and closes the socket if return() is called %s",
    async (_, state) => {
      const end = Math.floor((bounds[Math.floor(state)]! + bounds[Math.ceil(state)]!) / 2);
      const silent = await started((socket) => socket.write(stream.subarray(0, end)));
      const batches = createStreamClient(silent.endpoint).recordBatches();
      const reading = numbersOf(batches);
      await pause(50);
      await batches.return?.();
      expect(await reading).toHaveLength(Math.max(0, Math.floor(state) - 1) * 2);
      await silent.deserted();
    },
  );

  test("rejects with the abort's reason if it is aborted while it connects", async () => {
    const controller = new AbortController();
    const connecting = await started(() => {});
    const batches = createStreamClient(connecting.endpoint).recordBatches({ signal: controller.signal });
    const reading = failed(batches);
    controller.abort("enough");
    expect((await reading).error).toBe("enough");
  });

  test("rejects with the abort's reason, and aborts the signal of a function that is still opening the stream", async () => {
    const controller = new AbortController();
    let isTold = false;
    const client = createStreamClient(({ signal }) => {
      signal.addEventListener("abort", () => (isTold = true));
      return new Promise(() => {});
    });
    setTimeout(() => controller.abort("enough"), 20);
    const { error } = await failed(client.recordBatches({ signal: controller.signal }));
    expect(error).toBe("enough");
    expect(isTold).toBe(true);
  });

  test("rejects with the abort's reason if it is aborted while it waits for the next attempt", async () => {
    const controller = new AbortController();
    const client = createStreamClient("unix:///no/such.sock", { retry: { attempts: 2, delayMs: 60_000 } });
    setTimeout(() => controller.abort("enough"), 20);
    const { error } = await failed(client.recordBatches({ signal: controller.signal }));
    expect(error).toBe("enough");
  });

  test("never connects if it is abandoned before the first next()", async () => {
    const idle = await started(() => {});
    const batches = createStreamClient(idle.endpoint).recordBatches();
    await batches.return?.();
    expect((await batches.next()).done).toBe(true);
    await pause(20);
    expect(idle.numConnections()).toBe(0);
  });
});

describe("with createStreamClient,", () => {
  test("a descriptor can be read only once", async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), "tfxio-test-"));
    try {
      writeFileSync(path.join(folder, "numbers"), stream);
      const client = createStreamClient(`fd://${openSync(path.join(folder, "numbers"), "r")}`);
      expect(await numbersOf(client.recordBatches())).toEqual([0, 1, 2, 3]);
      const { error } = await failed(client.recordBatches());
      expect(error).toMatchObject({ code: "invalid-argument", reason: "not-reiterable" });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test("a descriptor without data causes truncated-record even with retries", async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), "tfxio-test-"));
    try {
      writeFileSync(path.join(folder, "empty"), "");
      const retry = { attempts: 2, delayMs: 0 };
      const client = createStreamClient(`fd://${openSync(path.join(folder, "empty"), "r")}`, { retry });
      expect((await failed(client.recordBatches())).error).toMatchObject({ code: "truncated-record" });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test("a descriptor causes io-failed if it is not open", async () => {
    const fd = openSync(os.tmpdir(), "r");
    closeSync(fd);
    const { error } = await failed(createStreamClient(`fd://${fd + 1000}`).recordBatches());
    expect(error).toMatchObject({ code: "io-failed", reason: "connection" });
  });

  test.each([
    [503, " answered with status 503, expected a status from 200 to 299 and a stream of record batches."],
    [204, " answered with status 204 but no body, expected a stream of record batches."],
  ])("the status %i from a URL causes io-failed with that status", async (status, message) => {
    const server = http.createServer((_, response) => response.writeHead(status).end());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = new URL(`http://127.0.0.1:${(server.address() as net.AddressInfo).port}/x`);
    const { error } = await failed(createStreamClient(url).recordBatches());
    expect(error).toMatchObject({ code: "io-failed", reason: "http-status", status, uri: url.href });
    expect(error).toHaveProperty("message", `[io-failed] ${url.href}${message}`);
    await new Promise((resolve) => server.close(resolve));
    const { error: gone } = await failed(createStreamClient(url).recordBatches());
    expect(gone).toMatchObject({ code: "io-failed", reason: "connection", uri: url.href });
  });

  test("a URL causes truncated-record if the response is cut short", async () => {
    const failing = await serveRecordBatches(
      async function* batches() {
        yield* numberedBatches(1);
        await pause(20);
        throw new RangeError("no more");
      },
      { transport: "http", arrowSchema: numbers, onError: () => {} },
    );
    const { error } = await failed(createStreamClient(new URL(failing.endpoint)).recordBatches());
    expect(error).toMatchObject({ code: "truncated-record", uri: failing.endpoint });
    await failing.close();
  });

  test("wrong options and endpoints are rejected by the call itself", () => {
    const rejected = [
      { connectTimeoutMs: 0 },
      { idleTimeoutMs: 2 ** 31 },
      { retry: { attempts: 0, delayMs: 0 } },
      { retry: 3 },
      { requireEndOfStream: "yes" },
      { limits: { maxPageBytes: -1 } },
      { unknown: 1 },
    ];
    for (const options of rejected) {
      expect(() => createStreamClient("h:1", options as never)).toThrow("[invalid-argument]");
    }
    expect(() => createStreamClient(new URL("ftp://h/"))).toThrow("[invalid-argument]");
    expect(() => createStreamClient(7 as never)).toThrow(
      '[invalid-argument] endpoint must be text such as "host:port", a URL object whose scheme is http: or https:, ' +
        "or a function that opens the stream, found 7.",
    );
  });
});
