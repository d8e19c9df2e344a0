import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "@jest/globals";
import { openTfxio, type TfxioInput } from "../src/index.js";
import { collect } from "./fixtures.js";
import { PEOPLE, people, peopleFile } from "./people.js";
import { importTable, tableFile } from "./worker-formats/index.js";

/** How many chunks a stream produced, and how many times it was closed. */
interface Fate {
  numChunks: number;
  numClosed: number;
}

async function* chunksOf(bytes: Uint8Array, size: number, fate?: Fate): AsyncGenerator<Uint8Array, void> {
  try {
    for (let at = 0; at < bytes.length; at += size) {
      if (fate) fate.numChunks++;
      yield bytes.subarray(at, at + size);
    }
  } finally {
    if (fate) fate.numClosed++;
  }
}

/** Creates a stream that yields chunks and then stalls forever. Its `return()` resolves at once. */
function stallingAfter(bytes: Uint8Array, fate: Fate): AsyncIterable<Uint8Array> {
  const chunks = chunksOf(bytes, 1000);
  return {
    [Symbol.asyncIterator]: () => ({
      async next() {
        const chunk = await chunks.next();
        return chunk.done === true ? new Promise(() => {}) : chunk;
      },
      async return() {
        fate.numClosed++;
        return { done: true, value: undefined };
      },
    }),
  };
}

const noFate = (): Fate => ({ numChunks: 0, numClosed: 0 });
const FILE = peopleFile(0, 300);
const webStream = (bytes: Uint8Array): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      controller.enqueue(bytes.slice(0, 100));
      controller.enqueue(bytes.slice(100));
      controller.close();
    },
  });

const INPUTS: readonly [string, (bytes: Uint8Array) => TfxioInput][] = [
  ["an async iterable", (bytes) => chunksOf(bytes, 777)],
  ["an async iterable of single bytes", (bytes) => chunksOf(bytes, 1)],
  ["a web stream", webStream],
  ["a Node stream", (bytes) => Readable.from([Buffer.from(bytes)])],
  ["a function that returns an async iterable", (bytes) => () => chunksOf(bytes, 777)],
  ["a function that returns a promise of a web stream", (bytes) => async () => webStream(bytes)],
];

describe.each(INPUTS)("%s", (_, input) => {
  test.each(["plain", "gzip"])("yields the rows of a %s TFRecord file", async (form) => {
    const bytes = form === "gzip" ? gzipSync(FILE) : FILE;
    const tfxio = await openTfxio(input(bytes), { schema: PEOPLE });
    expect(await collect(tfxio.rows())).toEqual(people(0, 300));
    await tfxio.close();
  });

  test.each([
    ["first", undefined],
    [{ rows: 17 }, 300],
  ] as const)(
    "yields every row with inferSchema %j, including the rows used for the inference",
    async (inferSchema, batchBytes) => {
      const tfxio = await openTfxio(input(gzipSync(FILE)), { inferSchema, batchBytes });
      expect(tfxio.schema().feature.map(({ name }) => name)).toEqual(["age", "country", "id", "score"]);
      const rows = await collect(tfxio.rows());
      expect(rows.map(({ id }) => id)).toEqual(people(0, 300).map(({ id }) => id));
    },
  );
});

describe("a one-pass stream", () => {
  const consumed = { code: "invalid-argument", reason: "stream-consumed" };

  test("is read only slightly ahead of the requested rows, and closed when the caller leaves the loop over them", async () => {
    const fate = noFate();
    const tfxio = await openTfxio(chunksOf(FILE, 100, fate), { schema: PEOPLE, batchBytes: 500 });
    const numAtOpen = fate.numChunks;
    expect(numAtOpen * 100).toBeLessThan(5000);
    for await (const _ of tfxio.rows()) break;
    expect(fate.numChunks * 100).toBeLessThan(10_000);
    expect(fate.numClosed).toBe(1);
  });

  test("cannot be read twice", async () => {
    const tfxio = await openTfxio(chunksOf(FILE, 777), { schema: PEOPLE });
    expect(await collect(tfxio.rows())).toHaveLength(300);
    await expect(collect(tfxio.rows())).rejects.toMatchObject(consumed);
    await expect(collect(tfxio.project(["id"]).rows())).rejects.toMatchObject(consumed);
    const epochs = await openTfxio(chunksOf(FILE, 777), { schema: PEOPLE });
    const seen: unknown[] = [];
    await expect(
      (async () => {
        for await (const row of epochs.rows({ numEpochs: 2 })) seen.push(row);
      })(),
    ).rejects.toMatchObject(consumed);
    expect(seen).toEqual(people(0, 300));
  });

  test("can be shuffled, filtered, projected and split", async () => {
    const open = (options = {}): ReturnType<typeof openTfxio> =>
      openTfxio(chunksOf(FILE, 777), { schema: PEOPLE, ...options });
    const ids = async (rows: AsyncIterable<Record<string, unknown>>): Promise<number[]> =>
      (await collect(rows)).map(({ id }) => (id as number[])[0] as number);
    const shuffled = await ids((await open()).rows({ shuffle: true, shuffleSeed: 1 }));
    expect(shuffled.toSorted((a, b) => a - b)).toEqual(people(0, 300).map(({ id }) => id[0]));
    expect(shuffled.slice(0, 20)).not.toEqual(shuffled.slice(0, 20).toSorted((a, b) => a - b));
    expect(await ids((await open({ filter: "id < 5" })).project(["id"]).rows())).toEqual([0, 1, 2, 3, 4]);
    const { validation } = (await open()).split({ validation: 0.5, by: "id" });
    expect((await ids(validation.rows())).length).toBeGreaterThan(100);
  });

  test('is rejected for inferSchema "full" before anything is read', async () => {
    const fate = noFate();
    await expect(openTfxio(chunksOf(FILE, 777, fate), { inferSchema: "full" })).rejects.toMatchObject({
      code: "unsupported",
      reason: "stream",
    });
    expect(fate.numChunks).toBe(0);
  });

  test("is rejected for a format that needs files, and closed if its format is unknown", async () => {
    const fate = noFate();
    await expect(
      openTfxio(chunksOf(tableFile([{ id: 1 }]), 5, fate), { format: await importTable() }),
    ).rejects.toMatchObject({ code: "unsupported", reason: "stream" });
    await expect(openTfxio(chunksOf(Uint8Array.of(1, 2, 3), 1, fate))).rejects.toMatchObject({
      code: "unknown-format",
    });
    expect(fate.numClosed).toBe(1);
  });

  test("cannot be part of a list of sources", async () => {
    await expect(openTfxio([chunksOf(FILE, 777)] as never)).rejects.toMatchObject({
      code: "invalid-argument",
      reason: "source-type",
    });
  });

  test('cannot be read by worker threads: `workers: 1` is rejected, and "auto" uses the calling thread', async () => {
    const tfxio = await openTfxio(chunksOf(FILE, 777), { schema: PEOPLE });
    await expect(collect(tfxio.rows({ workers: 1 }))).rejects.toMatchObject({
      code: "unsupported",
      reason: "worker-source",
    });
    expect(await collect(tfxio.rows({ workers: "auto" }))).toHaveLength(300);
  });

  test("is abandoned, even while it stalls, if the signal aborts or its TFXIO is closed", async () => {
    for (const end of ["abort", "close"] as const) {
      const fate = noFate();
      const tfxio = await openTfxio(stallingAfter(FILE.subarray(0, 5000), fate), {
        schema: PEOPLE,
        batchBytes: 500,
      });
      const controller = new AbortController();
      const rows: unknown[] = [];
      const reading = (async () => {
        for await (const row of tfxio.rows({ signal: controller.signal })) rows.push(row);
      })();
      setTimeout(() => (end === "abort" ? controller.abort(new Error("too slow")) : void tfxio.close()), 50);
      await expect(reading).rejects.toThrow(end === "abort" ? "too slow" : "closed");
      expect(rows.length).toBeGreaterThan(10);
      expect(rows).toEqual(people(0, rows.length));
      expect(fate.numClosed).toBe(1);
    }
  });

  test.each([
    ["detecting the format", {}],
    ["inferring a schema", { format: "tfrecord", inferSchema: { rows: 1000 } }],
  ])("is abandoned when the signal aborts while openTfxio is %s", async (_, options) => {
    const fate = noFate();
    const signal = AbortSignal.timeout(50);
    const opening = openTfxio(stallingAfter(FILE.subarray(0, 10), fate), { ...options, signal });
    await expect(opening).rejects.toMatchObject({ name: "TimeoutError" });
    expect(fate.numClosed).toBe(1);
  });

  test("is closed with its TFXIO, even if no pass has begun", async () => {
    const fate = noFate();
    const unread = await openTfxio(chunksOf(FILE, 777, fate), { schema: PEOPLE });
    await unread.close();
    expect(fate.numClosed).toBe(1);
    await unread.close();
    await expect(collect(unread.rows())).rejects.toMatchObject({ reason: "reader-closed" });
    expect(fate.numClosed).toBe(1);
  });

  test("yields the rows before a failure, and then ends in an error with the cause", async () => {
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield* chunksOf(FILE.subarray(0, 10_000), 500);
      throw new Error("the network is gone");
    }
    for (const input of [failing(), failing]) {
      const tfxio = await openTfxio(input, { schema: PEOPLE, batchBytes: 500 });
      const rows: unknown[] = [];
      await expect(
        (async () => {
          for await (const row of tfxio.rows()) rows.push(row);
        })(),
      ).rejects.toMatchObject({
        code: "io-failed",
        reason: "stream",
        cause: expect.objectContaining({ message: "the network is gone" }),
      });
      expect(rows.length).toBeGreaterThan(50);
      expect(rows).toEqual(people(0, rows.length));
    }
  });

  test("ends in an error if its last record is truncated", async () => {
    const tfxio = await openTfxio(chunksOf(FILE.subarray(0, -3), 500), { schema: PEOPLE });
    await expect(collect(tfxio.rows())).rejects.toMatchObject({ code: "truncated-record" });
  });

  test("is rejected if it delivers text instead of bytes", async () => {
    await expect(openTfxio(Readable.from(["text"]))).rejects.toMatchObject({
      code: "invalid-argument",
      reason: "source-type",
    });
  });
});

describe("a function that opens a stream", () => {
  test("is called for each pass, and every stream is closed", async () => {
    const fate = noFate();
    let numOpened = 0;
    const open = (): AsyncIterable<Uint8Array> => {
      numOpened++;
      return chunksOf(FILE, 1000, fate);
    };
    const tfxio = await openTfxio(open, { schema: PEOPLE, format: "tfrecord" });
    expect(numOpened).toBe(0);
    for (const pass of [1, 2, 3]) {
      expect(await collect(tfxio.rows())).toHaveLength(300);
      // One more call peeks at the first bytes, which are then cached.
      expect(numOpened).toBe(pass + 1);
    }
    expect(await collect(tfxio.rows({ numEpochs: 2, shuffle: true }))).toHaveLength(600);
    expect([numOpened, fate.numClosed]).toEqual([6, 6]);
    const full = await openTfxio([open, open], { inferSchema: "full" });
    expect(await collect(full.rows({ readerNumThreads: 2 }))).toHaveLength(600);
    expect(fate.numClosed).toBe(numOpened);
  });

  test("causes an error if it throws, or does not return a stream", async () => {
    const failing = (): never => {
      throw new Error("no credentials");
    };
    await expect(openTfxio(failing)).rejects.toMatchObject({ code: "io-failed", reason: "stream" });
    await expect(openTfxio((() => 3) as never)).rejects.toMatchObject({
      code: "invalid-argument",
      reason: "source-type",
    });
  });
});
