import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { lstat, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { PassThrough, Writable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createStreamClient } from "@tfxio/formats-arrow/client";
import {
  type RecordBatchServer,
  sendRecordBatches,
  type ServedPass,
  serveRecordBatches,
} from "@tfxio/formats-arrow/serve";
import { batchOfNumbers, numberedBatches, numbers, numbersOf } from "./numbered.js";
import { pause } from "./peer.js";

const options = { arrowSchema: numbers };
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "tfxio-test-"));
});
afterAll(() => rm(folder, { recursive: true }));

function clientOf({ endpoint }: RecordBatchServer) {
  return createStreamClient(endpoint.startsWith("http") ? new URL(endpoint) : endpoint);
}

describe.each(["tcp", "unix", "http"] as const)("over %s", (transport) => {
  test("each pass calls the factory again", async () => {
    const passes: ServedPass[] = [];
    let numCalls = 0;
    const server = await serveRecordBatches(() => numberedBatches(++numCalls), {
      ...options,
      transport,
      onPass: (pass) => passes.push(pass),
    });
    for (let numBatches = 1; numBatches <= 3; numBatches++) {
      const expected = Array.from({ length: 2 * numBatches }, (_, number) => number);
      expect(await numbersOf(clientOf(server).recordBatches())).toEqual(expected);
    }
    await server.close();
    expect(passes.map(({ outcome, numBatches, numRows }) => [outcome, numBatches, numRows])).toEqual([
      ["complete", 1, 2],
      ["complete", 2, 4],
      ["complete", 3, 6],
    ]);
    expect(server.numClients).toBe(0);
  });

  test.each(["none", "lz4", "zstd"] as const)(
    "batches are read back (compression: %s)",
    async (compression) => {
      await using server = await serveRecordBatches(() => numberedBatches(2), {
        ...options,
        transport,
        compression,
      });
      expect(await numbersOf(clientOf(server).recordBatches())).toEqual([0, 1, 2, 3]);
    },
  );

  test("a pass without batches is a stream without rows", async () => {
    await using server = await serveRecordBatches(() => [], { ...options, transport });
    expect(await numbersOf(clientOf(server).recordBatches())).toEqual([]);
  });

  test("a server can be closed twice, and then accepts no connections", async () => {
    const server = await serveRecordBatches(() => numberedBatches(1), { ...options, transport });
    await Promise.all([server.close(), server.close()]);
    await expect(numbersOf(clientOf(server).recordBatches())).rejects.toMatchObject({
      code: "io-failed",
      reason: "connection",
    });
  });
});

describe("a Unix socket", () => {
  test("is placed by default in a separate folder that only this user can access", async () => {
    const server = await serveRecordBatches(() => [], { ...options, transport: "unix" });
    const file = server.endpoint.slice("unix://".length);
    expect((await stat(path.dirname(file))).mode & 0o777).toBe(0o700);
    await server.close();
    expect(existsSync(path.dirname(file))).toBe(false);
  });

  test("is removed when the server is closed", async () => {
    const file = path.join(folder, "closed.sock");
    const server = await serveRecordBatches(() => [], { ...options, path: file });
    expect((await lstat(file)).isSocket()).toBe(true);
    await server.close();
    expect(existsSync(file)).toBe(false);
  });

  test("left behind by a dead process is replaced", async () => {
    const file = path.join(folder, "stale.sock");
    // A killed process leaves a bound socket without a listener.
    const code = `require("net").createServer().listen(${JSON.stringify(file)}, () => process.kill(process.pid, 9))`;
    expect(spawnSync(process.execPath, ["-e", code]).signal).toBe("SIGKILL");
    expect((await lstat(file)).isSocket()).toBe(true);
    await using server = await serveRecordBatches(() => numberedBatches(1), { ...options, path: file });
    expect(await numbersOf(clientOf(server).recordBatches())).toEqual([0, 1]);
  });

  test("causes io-failed in a server and in a client if its path is too long for the system", async () => {
    const long = path.join(folder, `${"x".repeat(120)}.sock`);
    const failed = {
      code: "io-failed",
      message: expect.stringContaining("the path of a socket must have at most"),
    };
    const starting = serveRecordBatches(() => [], { ...options, path: long });
    await expect(starting).rejects.toMatchObject({ ...failed, reason: "listen" });
    const reading = numbersOf(createStreamClient(`unix://${long}`).recordBatches());
    await expect(reading).rejects.toMatchObject({ ...failed, reason: "connection" });
  });

  test("causes io-failed if another server listens on it, and that server keeps working", async () => {
    const file = path.join(folder, "taken.sock");
    await using first = await serveRecordBatches(() => numberedBatches(1), { ...options, path: file });
    await expect(serveRecordBatches(() => [], { ...options, path: file })).rejects.toMatchObject({
      code: "io-failed",
      reason: "listen",
    });
    expect(await numbersOf(clientOf(first).recordBatches())).toEqual([0, 1]);
  });

  test("never replaces a file that is not a socket", async () => {
    const file = path.join(folder, "precious");
    await writeFile(file, "data");
    await expect(serveRecordBatches(() => [], { ...options, path: file })).rejects.toMatchObject({
      code: "io-failed",
      reason: "listen",
    });
    expect((await stat(file)).size).toBe(4);
  });
});

describe("a port", () => {
  test("is a free one on the local machine by default", async () => {
    await using server = await serveRecordBatches(() => [], options);
    expect(server.endpoint).toMatch(/^127\.0\.0\.1:\d+$/);
  });

  test("causes io-failed if it is in use", async () => {
    await using server = await serveRecordBatches(() => [], options);
    const port = Number(server.endpoint.split(":")[1]);
    await expect(serveRecordBatches(() => [], { ...options, port })).rejects.toMatchObject({
      code: "io-failed",
      reason: "listen",
    });
  });

  test("in the endpoint comes after the brackets around an IPv6 host", async () => {
    await using server = await serveRecordBatches(() => numberedBatches(1), { ...options, host: "::1" });
    expect(server.endpoint).toMatch(/^\[::1\]:\d+$/);
    expect(await numbersOf(clientOf(server).recordBatches())).toEqual([0, 1]);
  });
});

describe("HTTP", () => {
  test("answers with the media type of Arrow streams, and with the headers given in the options", async () => {
    await using server = await serveRecordBatches(() => numberedBatches(1), {
      ...options,
      transport: "http",
      headers: { "access-control-allow-origin": "*" },
    });
    const response = await fetch(server.endpoint);
    expect(response.headers.get("content-type")).toBe("application/vnd.apache.arrow.stream");
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    await response.arrayBuffer();
    const posted = await fetch(server.endpoint, { method: "POST" });
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    const head = await fetch(server.endpoint, { method: "HEAD" });
    expect([head.status, (await head.arrayBuffer()).byteLength]).toEqual([200, 0]);
  });

  test("answers before the first batch is ready, so that clients do not time out while connecting", async () => {
    const late = async function* batches() {
      await pause(400);
      yield* numberedBatches(1);
    };
    await using server = await serveRecordBatches(late, { transport: "http" });
    const client = createStreamClient(new URL(server.endpoint), { connectTimeoutMs: 200 });
    expect(await numbersOf(client.recordBatches())).toEqual([0, 1]);
  });
});

describe("sendRecordBatches", () => {
  test("sends one pass to a writable stream", async () => {
    const pipe = new PassThrough();
    const client = createStreamClient(() => pipe);
    const [pass, found] = await Promise.all([
      sendRecordBatches(() => numberedBatches(3), pipe, options),
      numbersOf(client.recordBatches()),
    ]);
    expect(found).toEqual([0, 1, 2, 3, 4, 5]);
    expect(pass).toMatchObject({ outcome: "complete", numBatches: 3, numRows: 6 });
  });

  test("fails if the reader leaves", async () => {
    const pipe = new PassThrough();
    setTimeout(() => pipe.destroy(), 20);
    await expect(sendRecordBatches(() => numberedBatches(Infinity), pipe, options)).rejects.toMatchObject({
      code: "io-failed",
      reason: "client-left",
    });
  });

  test("fails if the last bytes cannot be sent", async () => {
    const broken = new Writable({
      highWaterMark: 2 ** 20,
      write: (_chunk, _encoding, written) => void setTimeout(() => written(new Error("EPIPE")), 20),
    });
    await expect(sendRecordBatches(() => numberedBatches(2), broken, options)).rejects.toMatchObject({
      code: "io-failed",
      reason: "client-left",
    });
  });

  test("fails if the reader does not accept the last bytes in time", async () => {
    const full = new Writable({ highWaterMark: 2 ** 20, write: () => undefined });
    const sending = sendRecordBatches(() => numberedBatches(2), full, { ...options, stallTimeoutMs: 50 });
    await expect(sending).rejects.toMatchObject({ code: "io-failed", reason: "client-stalled" });
    expect(full.destroyed).toBe(true);
  });

  test("tolerates a slow reader of a large batch, as long as the reader makes progress", async () => {
    let numBytes = 0;
    const slow = new Writable({
      write(chunk: Uint8Array, _encoding, written) {
        numBytes += chunk.length;
        setTimeout(written, (30 * chunk.length) / 2 ** 16);
      },
    });
    const sending = sendRecordBatches(() => [batchOfNumbers(0, 2 ** 18)], slow, {
      ...options,
      stallTimeoutMs: 200,
    });
    expect(await sending).toMatchObject({ outcome: "complete", numRows: 2 ** 18, numBytes });
    expect(numBytes).toBeGreaterThan(2 ** 20);
  });

  test("breaks the stream and fails with user-function if the factory fails", async () => {
    const pipe = new PassThrough();
    const failing = function* (): Generator<never> {
      throw new RangeError("no");
    };
    await expect(sendRecordBatches(failing, pipe, options)).rejects.toMatchObject({
      code: "user-function",
      operator: "sendRecordBatches",
    });
    expect(pipe.destroyed).toBe(true);
  });

  test("fails with the reason of its signal", async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort("enough"), 20);
    const pipe = new PassThrough();
    const sending = sendRecordBatches(() => numberedBatches(Infinity), pipe, {
      ...options,
      signal: controller.signal,
    });
    await expect(sending).rejects.toBe("enough");
  });
});

test("wrong options are rejected by the call itself", async () => {
  const rejected = [
    { port: 70_000 },
    { transport: "udp" },
    { transport: "tcp", path: "/x" },
    { path: "/x", port: 1 },
    { headers: {} },
    { compression: "gzip" },
    { stallTimeoutMs: 0 },
    { arrowSchema: {} },
    { onPass: 1 },
    { unknown: 1 },
  ];
  for (const given of rejected) {
    await expect(serveRecordBatches(() => [], given as never)).rejects.toMatchObject({
      code: "invalid-argument",
    });
  }
  await expect(serveRecordBatches([] as never)).rejects.toMatchObject({ code: "invalid-argument" });
});

test("an aborted signal closes the server", async () => {
  const controller = new AbortController();
  const server = await serveRecordBatches(() => [], { ...options, signal: controller.signal });
  controller.abort("enough");
  await server.close();
  await expect(numbersOf(clientOf(server).recordBatches())).rejects.toMatchObject({ reason: "connection" });
  await expect(serveRecordBatches(() => [], { ...options, signal: controller.signal })).rejects.toBe(
    "enough",
  );
});
