import net from "node:net";
import { Writable } from "node:stream";
import { afterEach, describe, expect, jest, test } from "@jest/globals";
import { createStreamClient } from "@tfxio/formats-arrow/client";
import {
  type RecordBatchFactory,
  type RecordBatchServer,
  sendRecordBatches,
  type ServedPass,
  type ServeOptions,
  serveRecordBatches,
} from "@tfxio/formats-arrow/serve";
import { Field, Float64, type RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import { batchOfNumbers, numberedBatches, numbers, numbersOf } from "./numbered.js";
import { eventually, numOpenSockets, pause } from "./peer.js";

interface Started extends RecordBatchServer {
  readonly passes: ServedPass[];
  readonly errors: unknown[];
}

const servers: Started[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
  await eventually(() => numOpenSockets() === 0);
});

/** Starts a server that is closed after the test. Returns it and the events that it reports. */
async function serving(factory: RecordBatchFactory, options: ServeOptions = {}): Promise<Started> {
  const [passes, errors]: [ServedPass[], unknown[]] = [[], []];
  const server = await serveRecordBatches(factory, {
    arrowSchema: numbers,
    onPass: (pass) => passes.push(pass),
    onError: (error) => errors.push(error),
    ...options,
  });
  const started = Object.assign(server, { passes, errors });
  servers.push(started);
  return started;
}

function connect({ endpoint }: RecordBatchServer): net.Socket {
  const socket = net.connect(Number(endpoint.split(":")[1]), "127.0.0.1");
  return socket.on("error", () => {});
}

/**
 * Returns a factory of an endless sequence of 64 KiB batches. `state` counts the requested batches, and records whether the
 * factory was told to stop.
 */
function endless() {
  const state = { numBatches: 0, isReturned: false };
  const factory = async function* batches(): AsyncGenerator<RecordBatch> {
    try {
      for (;;) yield batchOfNumbers(16_384 * state.numBatches++, 16_384);
    } finally {
      state.isReturned = true;
    }
  };
  return { state, factory };
}

const read = ({ endpoint }: RecordBatchServer): Promise<number[]> =>
  numbersOf(createStreamClient(endpoint).recordBatches());

describe("a departing client", () => {
  test.each([
    ["closes its end", (socket: net.Socket) => socket.end()],
    ["destroys its socket", (socket: net.Socket) => socket.destroy()],
    ["resets the connection", (socket: net.Socket) => socket.resetAndDestroy()],
  ])("ends only its own pass if it %s", async (_, leave) => {
    const { state, factory } = endless();
    let numCalls = 0;
    const server = await serving(() => (numCalls++ === 0 ? factory() : numberedBatches(2)));
    const leaving = connect(server);
    await new Promise((resolve) => leaving.once("data", resolve));
    leave(leaving);
    await eventually(() => state.isReturned);
    expect(await read(server)).toEqual([0, 1, 2, 3]);
    await eventually(() => server.passes.length === 2);
    expect(server.passes.map(({ outcome }) => outcome)).toEqual(["client-left", "complete"]);
    expect(server.passes[0]?.error).toMatchObject({ code: "io-failed", reason: "client-left" });
    expect(server.errors).toEqual([]);
  });

  test("that uses HTTP ends its pass, and no error is reported", async () => {
    const { state, factory } = endless();
    const server = await serving(factory, { transport: "http" });
    const batches = createStreamClient(new URL(server.endpoint)).recordBatches();
    await batches.next();
    await batches.return?.();
    await eventually(() => state.isReturned);
    await eventually(() => server.passes.length === 1);
    expect(server.passes[0]?.outcome).toBe("client-left");
    expect(server.errors).toEqual([]);
  });

  test("is noticed even while the factory waits for data", async () => {
    let isTold = false;
    const server = await serving(async function* waiting({ signal }) {
      yield* numberedBatches(1);
      signal.addEventListener("abort", () => (isTold = true));
      await new Promise(() => {});
    });
    const batches = createStreamClient(server.endpoint).recordBatches();
    await batches.next();
    await batches.return?.();
    await eventually(() => server.passes.length === 1);
    expect(isTold).toBe(true);
    expect(server.numClients).toBe(0);
  });

  test("completes its pass if it leaves at the end marker", async () => {
    const server = await serving(() => numberedBatches(3));
    for (let time = 0; time < 50; time++) await read(server);
    await eventually(() => server.passes.length === 50);
    expect(new Set(server.passes.map(({ outcome }) => outcome))).toEqual(new Set(["complete"]));
  });
});

describe("a stalled client", () => {
  test("makes the factory produce only as much as the connection can buffer", async () => {
    const { state, factory } = endless();
    let numCalls = 0;
    const server = await serving(() => (numCalls++ === 0 ? factory() : numberedBatches(2)));
    const idle = connect(server).pause();
    let before = -1;
    while (state.numBatches !== before) {
      before = state.numBatches;
      await pause(200);
    }
    // The operating system buffers a few MB for both ends together.
    expect(state.numBatches * 65_536).toBeLessThan(32 * 2 ** 20);
    expect(await read(server)).toEqual([0, 1, 2, 3]);
    expect(state.numBatches).toBe(before);
    idle.destroy();
    await eventually(() => state.isReturned);
  });

  test("is cut off after stallTimeoutMs", async () => {
    const { state, factory } = endless();
    const server = await serving(factory, { stallTimeoutMs: 100 });
    const idle = connect(server).pause();
    await eventually(() => server.passes.length === 1);
    expect(server.errors).toMatchObject([{ code: "io-failed", reason: "client-stalled" }]);
    expect(state.isReturned).toBe(true);
    idle.destroy();
  });
});

test("a slow client receives everything, and batches are produced while it reads", async () => {
  let numProduced = 0;
  const server = await serving(function* batches() {
    for (; numProduced < 200; numProduced++) yield batchOfNumbers(16_384 * numProduced, 16_384);
  });
  let numRows = 0;
  let isProducedAtOnce = true;
  for await (const batch of createStreamClient(server.endpoint).recordBatches()) {
    expect(batch.getChild("n")?.get(0)).toBe(numRows);
    numRows += batch.numRows;
    await pause(1);
    isProducedAtOnce &&= numProduced === 200;
  }
  expect(numRows).toBe(200 * 16_384);
  expect(isProducedAtOnce).toBe(false);
});

test("each of 200 concurrent clients receives everything", async () => {
  const server = await serving(() => numberedBatches(20), { arrowSchema: numbers });
  const expected = Array.from({ length: 40 }, (_, number) => number);
  const found = await Promise.all(Array.from({ length: 200 }, () => read(server)));
  expect(found).toEqual(Array.from({ length: 200 }, () => expected));
  await eventually(() => server.passes.length === 200);
  expect(server.passes.every(({ outcome, numRows }) => outcome === "complete" && numRows === 40)).toBe(true);
});

test("a factory that never waits lets other tasks run, even if the target accepts every chunk immediately", async () => {
  const greedy = new Writable({ write: (_chunk, _encoding, taken) => taken() });
  const turns: string[] = [];
  setTimeout(() => turns.push("timer"), 1);
  let numBatches = 0;
  await sendRecordBatches(function* batches() {
    // The loop is bounded, since nothing could stop it if other tasks never ran.
    while (turns.length === 0 && numBatches < 100_000) yield batchOfNumbers(numBatches++, 1);
  }, greedy);
  expect(turns).toEqual(["timer"]);
});

test("an endless pass does not keep other clients from being served", async () => {
  let numCalls = 0;
  const server = await serving(() => numberedBatches(numCalls++ === 0 ? Infinity : 2));
  const greedy = connect(server).resume();
  await new Promise((resolve) => greedy.once("data", resolve));
  expect(await read(server)).toEqual([0, 1, 2, 3]);
});

describe("a failing factory", () => {
  test.each([
    [
      "throws when it is called",
      () => {
        throw new RangeError("no");
      },
    ],
    [
      "throws at its first batch",
      async function* () {
        throw new RangeError("no");
      },
    ],
    [
      "throws between batches",
      async function* () {
        yield* numberedBatches(1);
        throw new RangeError("no");
      },
    ],
    ["returns a number", () => 7],
    ["yields a number", () => [1]],
  ])("breaks the stream if it %s, and the server continues", async (_, failing) => {
    let numCalls = 0;
    const server = await serving((() =>
      numCalls++ === 0 ? failing() : numberedBatches(2)) as RecordBatchFactory);
    await expect(read(server)).rejects.toMatchObject({ code: "truncated-record" });
    await eventually(() => server.errors.length === 1);
    expect((server.errors[0] as { readonly code: string }).code).toMatch(
      /^(user-function|invalid-argument)$/,
    );
    expect(server.passes).toMatchObject([{ outcome: "failed" }]);
    expect(await read(server)).toEqual([0, 1, 2, 3]);
  });

  test("is reported, and the client receives an error, if a batch does not have the declared schema", async () => {
    const other = new ArrowSchema([new Field("n", new Float64(), false)]);
    const server = await serving(function* changing() {
      yield* numberedBatches(1);
      yield Object.assign(Object.create(Object.getPrototypeOf(batchOfNumbers(2, 2))), batchOfNumbers(2, 2), {
        schema: other,
      });
    });
    const found: number[] = [];
    await expect(
      (async () => {
        for await (const batch of createStreamClient(server.endpoint).recordBatches())
          found.push(batch.numRows);
      })(),
    ).rejects.toMatchObject({ code: "truncated-record" });
    expect(found).toEqual([2]);
    expect(server.errors).toMatchObject([{ code: "schema-mismatch", reason: "batch-schema" }]);
  });

  test("is reported, and the client receives an error, if there is neither a schema nor a batch", async () => {
    const server = await serving(() => [], { arrowSchema: undefined });
    await expect(read(server)).rejects.toMatchObject({ code: "truncated-record" });
    expect(server.errors).toMatchObject([{ code: "schema-required", reason: "no-batches" }]);
  });

  test("causes a process warning if there is no error handler", async () => {
    const warn = jest.spyOn(process, "emitWarning").mockImplementation(() => {});
    const failing = function* (): Generator<never> {
      throw new RangeError("no");
    };
    const server = await serving(failing, { onError: undefined });
    await expect(read(server)).rejects.toMatchObject({ code: "truncated-record" });
    await eventually(() => server.passes.length === 1);
    expect(warn.mock.calls).toEqual([[expect.stringContaining("[user-function]")]]);
    expect(warn.mock.calls[0]?.[0]).toMatch(/^serveRecordBatches \(client 127\.0\.0\.1:\d+\): /);
    warn.mockRestore();
  });

  test("causes a warning without an address if the client uses a Unix socket", async () => {
    const warn = jest.spyOn(process, "emitWarning").mockImplementation(() => {});
    const failing = function* (): Generator<never> {
      throw new RangeError("no");
    };
    const server = await serving(failing, { onError: undefined, transport: "unix" });
    await expect(read(server)).rejects.toMatchObject({ code: "truncated-record" });
    await eventually(() => server.passes.length === 1);
    expect(warn.mock.calls).toEqual([[expect.stringMatching(/^serveRecordBatches: .*\[user-function\]/)]]);
    warn.mockRestore();
  });
});

test("an onPass callback causes a warning if it throws, and the server still closes", async () => {
  const warned = jest.spyOn(process, "emitWarning").mockImplementation(() => {});
  const onPass = (): void => {
    throw new RangeError("mine");
  };
  const { state, factory } = endless();
  const server = await serving(factory, { onPass });
  const client = connect(server);
  await eventually(() => state.numBatches > 0);
  await server.close();
  expect(state.isReturned).toBe(true);
  expect(warned.mock.calls.map(([message]) => message)).toEqual([expect.stringContaining("mine")]);
  warned.mockRestore();
  client.destroy();
});

test("a client waits for a slow server", async () => {
  const server = await serving(async function* slow() {
    for (const batch of numberedBatches(3)) {
      await pause(30);
      yield batch;
    }
  });
  expect(await read(server)).toEqual([0, 1, 2, 3, 4, 5]);
});

test("data sent by clients is ignored", async () => {
  const server = await serving(async function* slow() {
    yield* numberedBatches(1);
    await pause(50);
    yield batchOfNumbers(2, 2);
  });
  const talking = connect(server);
  const chunks: Uint8Array[] = [];
  talking.write(Buffer.alloc(2 ** 20, "GET / HTTP/1.1\r\n"));
  talking.on("data", (chunk: Uint8Array) => chunks.push(chunk));
  await new Promise((resolve) => talking.once("close", resolve));
  const sent = createStreamClient(async function* bytes() {
    yield* chunks;
  });
  expect(await numbersOf(sent.recordBatches())).toEqual([0, 1, 2, 3]);
});

test("close() disconnects every client, and stops every factory", async () => {
  const passes = Array.from({ length: 5 }, endless);
  let numCalls = 0;
  const server = await serving(() => passes[numCalls++]!.factory());
  const reads = passes.map(() => read(server).catch((error: unknown) => error));
  await eventually(() => passes.every(({ state }) => state.numBatches > 3));
  await server.close();
  expect(passes.map(({ state }) => state.isReturned)).toEqual([true, true, true, true, true]);
  for (const error of await Promise.all(reads)) expect(error).toMatchObject({ code: "truncated-record" });
  expect(server.passes.map(({ outcome }) => outcome)).toEqual(
    Array.from({ length: 5 }, () => "server-closed"),
  );
});
