import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getEventListeners } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { ByteSource } from "../../src/sources/byte-source.js";
import { bytesSource } from "../../src/sources/bytes-source.js";
import { SourceError } from "../../src/errors.js";
import { openSources } from "../../src/sources/open-sources.js";
import { isRetryable, retrying } from "../../src/sources/retrying.js";
import { collect, failure } from "../sources.js";

const bytes = Uint8Array.from({ length: 1000 }, (_, index) => index * 7);
const network = (message = "gone") => new SourceError("io-failed", message, { reason: "http-network" });
const fast = { initialDelayMs: 1, maxDelayMs: 2 };

/** Returns a source that fails with the next of `failures` at each slice, and after every 100 bytes of a stream. */
function flaky(...failures: readonly unknown[]): ByteSource & { readonly starts: number[] } {
  const left = [...failures];
  const starts: number[] = [];
  const inner = bytesSource(bytes);
  const fail = (): void => {
    if (left.length > 0) throw left.shift();
  };
  return {
    uri: "flaky",
    version: "1",
    starts,
    async slice(start, end) {
      fail();
      return inner.slice(start, end);
    },
    async *stream({ start = 0 } = {}) {
      starts.push(start);
      for (let at = start; at < bytes.length; at += 100) {
        if (at > start) fail();
        yield bytes.slice(at, at + 100);
      }
    },
  };
}

describe("retrying", () => {
  test("repeats slice, slices and tail after a temporary failure", async () => {
    const status = (value: number) =>
      new SourceError("io-failed", "x", { reason: "http-status", status: value });
    const passing = [network(), status(503), status(429), status(408)];
    expect(await retrying(flaky(...passing), fast).slice(5, 8)).toEqual(bytes.subarray(5, 8));
    expect(await retrying(flaky(network()), fast).slices!([{ start: 5, end: 8 }])).toEqual([
      bytes.subarray(5, 8),
    ]);
    const source = { ...flaky(), byteLength: 1000 };
    const failures = [network()];
    source.slice = async (start, end) => {
      if (failures.length > 0) throw failures.pop();
      return bytes.subarray(start, end);
    };
    expect(await retrying(source, fast).tail!(3)).toEqual(bytes.subarray(-3));
  });

  test("gives up if the second or a later attempt stalls, but survives three stalls if maxStalledAttempts is 4", async () => {
    const stall = () => new SourceError("io-failed", "nothing came", { reason: "http-stalled" });
    expect(await retrying(flaky(stall()), fast).slice(5, 8)).toEqual(bytes.subarray(5, 8));
    for (const failures of [
      [stall(), stall()],
      [network(), network(), stall()],
    ])
      await expect(retrying(flaky(...failures), fast).slice(5, 8)).rejects.toMatchObject({
        reason: "http-stalled",
      });
    const patient = { ...fast, maxStalledAttempts: 4 };
    expect(await retrying(flaky(stall(), stall(), stall()), patient).slice(5, 8)).toEqual(
      bytes.subarray(5, 8),
    );
  });

  test("restarts the count of stalls after each chunk of a stream", async () => {
    const stall = () => new SourceError("io-failed", "nothing came", { reason: "http-stalled" });
    expect(await collect(retrying(flaky(stall(), stall(), stall()), fast).stream())).toEqual(bytes);
  });

  test("continues a stream after the last received byte, and restarts the count of attempts after each chunk", async () => {
    const source = flaky(...Array.from({ length: 8 }, () => network()));
    expect(await collect(retrying(source, { ...fast, maxAttempts: 2 }).stream({ start: 50 }))).toEqual(
      bytes.subarray(50),
    );
    expect(source.starts).toEqual([50, 150, 250, 350, 450, 550, 650, 750, 850]);
  });

  test("keeps the uri, version, byteLength, origin and handsOverSlices of its source", () => {
    expect(retrying(flaky())).toMatchObject({ uri: "flaky", version: "1" });
    const inner = bytesSource(bytes, "b");
    expect(retrying(inner)).toMatchObject({ uri: "b", byteLength: 1000, origin: inner.origin });
    expect(retrying(inner).handsOverSlices).toBeUndefined();
    expect(retrying({ ...inner, handsOverSlices: true }).handsOverSlices).toBe(true);
  });

  test("gives up after the last attempt, with the last error", async () => {
    const errors = [network("1"), network("2"), network("3")];
    await expect(retrying(flaky(...errors), { ...fast, maxAttempts: 3 }).slice(0, 1)).rejects.toBe(errors[2]);
    let numTries = 0;
    const dead: ByteSource = {
      ...flaky(),
      async *stream() {
        numTries++;
        throw network();
      },
    };
    await failure(collect(retrying(dead, fast).stream()), "io-failed");
    expect(numTries).toBe(5);
  });

  test.each([
    ["a source-changed error", new SourceError("io-failed", "x", { reason: "source-changed" })],
    ["the HTTP status 403", new SourceError("io-failed", "x", { reason: "http-status", status: 403 })],
    ["a not-found error", new SourceError("not-found", "x", { status: 404 })],
    ["an error that is not a TfxioError", new RangeError("mine")],
  ])("does not try again after %s", async (_, error) => {
    expect(isRetryable(error)).toBe(false);
    await expect(retrying(flaky(error), fast).slice(0, 1)).rejects.toBe(error);
  });

  test("repeats a read after any error for which isRetryable returns true", async () => {
    const source = retrying(flaky(new RangeError("mine")), { ...fast, isRetryable: () => true });
    expect(await source.slice(0, 1)).toHaveLength(1);
  });

  test("stops waiting when the signal aborts, and keeps no listener", async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const slow = { initialDelayMs: 100_000, maxDelayMs: 100_000 };
    const reads = [
      retrying(flaky(network()), slow).slice(0, 1, { signal }),
      collect(retrying(flaky(network()), slow).stream({ signal })),
    ];
    await new Promise((resolve) => setTimeout(resolve, 10));
    controller.abort("enough");
    for (const read of reads) await expect(read).rejects.toBe("enough");
    const other = new AbortController();
    await retrying(flaky(network()), fast).slice(0, 1, { signal: other.signal });
    expect(getEventListeners(other.signal, "abort")).toEqual([]);
  });

  test("waits between attempts for at least half of each delay, and the delays grow", async () => {
    const begin = performance.now();
    const policy = { initialDelayMs: 20, maxDelayMs: 40, maxAttempts: 4 };
    await failure(
      retrying(flaky(network(), network(), network(), network()), policy).slice(0, 1),
      "io-failed",
    );
    const elapsed = performance.now() - begin;
    // Half of 20 + 40 + 40, less 1 ms, because timers can fire early.
    expect(elapsed).toBeGreaterThanOrEqual(49);
  });

  test("rejects invalid and unknown policy options", async () => {
    const policies = [
      { maxAttempts: 0 },
      { maxAttempts: 1.5 },
      { initialDelayMs: -1 },
      { maxDelayMs: 2 ** 31 },
      { isRetryable: 5 },
      { attempts: 5 },
    ];
    for (const policy of policies) {
      const error = await failure(() => retrying(flaky(), policy as never), "invalid-argument");
      expect(error.argument).toBe(Object.keys(policy)[0]);
    }
  });
});

describe("openSources with an http: URL", () => {
  let server: Server;
  let base = "";
  let numFailures = 0;
  const ranges: (string | undefined)[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      if (numFailures-- > 0) {
        response.writeHead(503).end();
        return;
      }
      response.writeHead(200, { "content-length": bytes.length });
      ranges.push(request.headers.range);
      response.end(request.method === "HEAD" ? undefined : bytes);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  test("repeats reads that an overloaded server rejects, and records the URL as origin", async () => {
    const [source] = await openSources(`${base}/a`);
    expect(source!.origin).toBe(`${base}/a`);
    numFailures = 1;
    expect(await source!.slice(0, 3)).toEqual(bytes.subarray(0, 3));
    expect(ranges.at(-1)).toBe("bytes=0-2");
    const numAnswers = ranges.length;
    numFailures = 1;
    expect(await collect(source!.stream())).toEqual(bytes);
    expect(ranges).toHaveLength(numAnswers + 1); // The whole file is requested without a range.
    expect(ranges.at(-1)).toBeUndefined();
  });
});
