import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { encodeExample, encodeSequenceExample } from "@tfxio/arrow-encoding";
import { defineFormat, type Format } from "@tfxio/format";
import { bytesSource, isTfxioError, RecordError } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";
import { openTfxio, type Tfxio, type TfxioProgress } from "../../src/index.js";
import { collect, examples, idsOf, range, SCHEMA, tfRecordFile, threeFiles } from "../fixtures.js";
import { describeBuilt, importToy, type ToyOptions, toyModule } from "../worker-formats/index.js";

const folder = mkdtempSync(path.join(tmpdir(), "tfxio-workers-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, bytes: Uint8Array): string {
  const file = path.join(folder, name);
  writeFileSync(file, bytes);
  return file;
}

const paths: string[] = [];
beforeAll(() => {
  paths.push(...threeFiles().map((file, index) => write(`${index}.tfrecord`, file)));
});

const ids = async (tfxio: Tfxio, options: Parameters<Tfxio["recordBatches"]>[0]): Promise<number[][]> =>
  (await collect(tfxio.recordBatches(options))).map(idsOf);

async function openToy(options: Partial<ToyOptions>, numSources = 1): Promise<Tfxio> {
  const sources = range(0, numSources).map((index) => bytesSource(Uint8Array.of(index), `toy:${index}`));
  return openTfxio(sources, { format: await importToy(), formatOptions: { ...options } });
}

const column = (batches: readonly RecordBatch[], name: string): number[] =>
  batches.map((batch) => Number(batch.getChild(name)?.get(0)));

/** Resolves to the error with which a promise rejects. */
const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "no rejection",
    (error: unknown) => error,
  );

describe("the workers option", () => {
  test.each([-1, 1.5, Number.NaN, "many", "2"])("rejects %p", async (workers) => {
    const tfxio = await openTfxio(threeFiles(), { schema: SCHEMA });
    expect(() => tfxio.recordBatches({ workers: workers as number })).toThrow(
      expect.objectContaining({ code: "invalid-argument", argument: "workers" }),
    );
  });

  test("rejects more workers than readerNumThreads", async () => {
    const tfxio = await openTfxio(threeFiles(), { schema: SCHEMA });
    expect(() => tfxio.recordBatches({ workers: 3, readerNumThreads: 2 })).toThrow(
      expect.objectContaining({ code: "invalid-argument", argument: "workers" }),
    );
  });

  // The size of this source is unknown, so the source counts as large.
  const unsized = { ...bytesSource(examplesFile(), "unsized"), byteLength: undefined };
  const custom = { ...unsized, origin: undefined };
  const foreign: Format = defineFormat({
    contractVersion: 2,
    id: "foreign",
    extensions: [".foreign"],
    defaults: { callback: undefined as (() => void) | undefined },
    open: async (sources) => ({
      plan: async () => ({
        splits: sources.map(({ uri }, index) => ({ index, uri })),
        async *read() {},
      }),
    }),
  });

  test.each([
    ["a custom source", "worker-source", () => openTfxio(custom, { schema: SCHEMA, format: "tfrecord" })],
    ["a format without a module", "worker-format", () => openTfxio(unsized, { format: foreign })],
    [
      "format options that cannot be cloned",
      "worker-options",
      () =>
        openTfxio(unsized, {
          format: { ...foreign, module: toyModule },
          formatOptions: { callback: () => {} },
        }),
    ],
  ])('rejects the value 1 for %s, and "auto" chooses the calling thread', async (_, reason, open) => {
    const tfxio = await open();
    await expect(collect(tfxio.recordBatches({ workers: 1 }))).rejects.toMatchObject({
      code: "unsupported",
      reason,
    });
    const expected = await ids(tfxio, { workers: 0 });
    expect(await ids(tfxio, { workers: "auto" })).toEqual(expected);
    expect(await ids(tfxio, {})).toEqual(expected);
  });
});

function examplesFile(): Uint8Array {
  return tfRecordFile(examples(0, 5));
}

describeBuilt("reading in worker threads", () => {
  test.each([1, 2, 3])(
    "yields the same rows with %i workers as on the calling thread with as many readers",
    async (workers) => {
      const tfxio = await openTfxio(paths, { schema: SCHEMA });
      const expected = await ids(tfxio, { readerNumThreads: workers, batchSize: 4 });
      expect(await ids(tfxio, { workers, batchSize: 4 })).toEqual(expected);
      expect(expected.flat().sort((a, b) => a - b)).toEqual(range(0, 30));
    },
  );

  test("yields rows in the order of 3 readers, even with 2 workers", async () => {
    const tfxio = await openTfxio(paths, { schema: SCHEMA });
    const options = { readerNumThreads: 3, shuffle: true, shuffleSeed: 5, numEpochs: 2 };
    const expected = await ids(tfxio, options);
    expect(await ids(tfxio, { ...options, workers: 2 })).toEqual(expected);
  });

  test("yields all rows if the order does not matter", async () => {
    const tfxio = await openTfxio(paths, { schema: SCHEMA });
    const rows = (await ids(tfxio, { workers: 2, sloppyOrdering: true })).flat();
    expect(rows.sort((a, b) => a - b)).toEqual(range(0, 30));
  });

  test("uses the requested number of threads, at most one per file", async () => {
    const tfxio = await openToy({ batches: 2 }, 3);
    const threads = async (workers: number): Promise<number> =>
      new Set(column(await collect(tfxio.recordBatches({ workers })), "thread")).size;
    expect([await threads(2), await threads(8)]).toEqual([2, 3]);
    expect(column(await collect(tfxio.recordBatches({ workers: 1 })), "thread")).not.toContain(0);
    expect(new Set(column(await collect(tfxio.recordBatches()), "thread"))).toEqual(new Set([0]));
  });

  test("works for bytes, Blobs, URLs and paths, and does not detach the caller's bytes", async () => {
    const [first, second, third] = threeFiles() as [Uint8Array, Uint8Array, Uint8Array];
    const server = createServer((_, response) => response.end(third));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/third.tfrecord`;
    try {
      const blob = new Blob([second]);
      const tfxio = await openTfxio([first, blob, url, paths[0] as string], { schema: SCHEMA });
      const rows = (await ids(tfxio, { workers: 1 })).flat();
      expect(rows).toEqual([...range(0, 30), ...range(0, 10)]);
      expect(first).toEqual(threeFiles()[0]);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });

  test("yields the same values, nulls, empty lists and raw records as the calling thread, even in a projection", async () => {
    const opened = await openTfxio(paths, { schema: SCHEMA, rawRecordColumn: "raw" });
    for (const tfxio of [opened, opened.project(["tags", "x"])]) {
      const rows = async (workers: number): Promise<string> =>
        JSON.stringify(
          (await collect(tfxio.recordBatches({ workers }))).map((batch) => batch.toArray()),
          (_, value: unknown) => (typeof value === "bigint" ? String(value) : value),
        );
      expect(await rows(1)).toBe(await rows(0));
    }
  });

  test("reports the same violation of an inferred schema as the calling thread", async () => {
    const drifting = write(
      "drift.tfrecord",
      tfRecordFile([encodeExample({ other: { kind: "int64", values: [1] } })]),
    );
    const tfxio = await openTfxio([...paths, drifting], { inferSchema: "first" });
    const here = await rejection(collect(tfxio.recordBatches()));
    const there = await rejection(collect(tfxio.recordBatches({ workers: 1 })));
    expect(here).toMatchObject({ code: "schema-mismatch", columnPath: "other", uri: drifting });
    expect({ ...(there as object) }).toEqual({ ...(here as object) });
  });

  test("reports the same progress as the calling thread", async () => {
    const tfxio = await openTfxio(paths, { schema: SCHEMA });
    const progress = async (workers: number): Promise<TfxioProgress[]> => {
      const reports: TfxioProgress[] = [];
      await collect(
        tfxio.recordBatches({
          workers,
          readerNumThreads: 1,
          numEpochs: 2,
          onProgress: (p) => reports.push(p),
        }),
      );
      return reports;
    };
    const expected = await progress(0);
    expect(expected.at(-1)).toMatchObject({ epoch: 1, numRows: 60 });
    expect(await progress(1)).toEqual(expected);
  });

  test("reports skipped records, even after the last batch", async () => {
    const file = tfRecordFile([...examples(0, 2), Uint8Array.of(255)]);
    const tfxio = await openTfxio(file, { schema: SCHEMA, formatOptions: { onMalformed: "skip" } });
    const reports: TfxioProgress[] = [];
    const batches = tfxio.recordBatches({ workers: 1, onProgress: (progress) => reports.push(progress) });
    expect((await collect(batches)).map(idsOf)).toEqual([[0, 1]]);
    expect(reports.at(-1)).toMatchObject({ numRows: 2, numSkipped: 1, numBytes: file.length });
  });

  test("yields the same SequenceExamples as the calling thread", async () => {
    const sequence = encodeSequenceExample({
      context: { id: { kind: "int64", values: [7] } },
      featureLists: {
        steps: [
          { kind: "float", values: [1, 2] },
          { kind: "float", values: [] },
        ],
      },
    });
    const tfxio = await openTfxio(tfRecordFile([sequence]), { format: "sequence-tfrecord" });
    const [batch] = await collect(tfxio.recordBatches({ workers: 1 }));
    const [expected] = await collect(tfxio.recordBatches());
    expect(batch?.schema.names).toEqual(["id", "##SEQUENCE##"]);
    expect(String(batch?.get(0))).toBe(String(expected?.get(0)));
  });

  test("names onProgress in the error if the callback throws", async () => {
    const tfxio = await openTfxio(paths, { schema: SCHEMA });
    const cause = new TypeError("mine");
    const onProgress = (): never => {
      throw cause;
    };
    const error = await rejection(collect(tfxio.recordBatches({ workers: 1, onProgress })));
    expect(error).toMatchObject({ code: "user-function", operator: "onProgress" });
    expect((error as Error).cause).toBe(cause);
  });

  test("yields the same dataset elements as the calling thread", async () => {
    const tfxio = await openTfxio(paths, { schema: SCHEMA });
    const options = { batchSize: 8, shuffleSeed: 3, readerNumThreads: 2 };
    const plain = (elements: unknown): string =>
      JSON.stringify(elements, (_, value: unknown) =>
        ArrayBuffer.isView(value) ? Array.from(value as unknown as Iterable<number>, String) : value,
      );
    const elements = async (workers: number): Promise<unknown[]> => {
      const iterator = await tfxio.dataset({ ...options, workers }).iterator();
      const all: unknown[] = [];
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) all.push(next.value);
      return all;
    };
    const [here, there] = [await elements(0), await elements(2)];
    expect(here).toHaveLength(4);
    expect(plain(there)).toBe(plain(here));
  });

  test("runs no more than a few batches ahead of the caller", async () => {
    const produced = new SharedArrayBuffer(4);
    const tfxio = await openToy({ batches: 40, produced });
    let taken = 0;
    for await (const batch of tfxio.recordBatches({ workers: 1 })) {
      expect(batch.getChild("value")?.get(0)).toBe(taken++);
      // Two batches that were sent, one that interleaveBatches requested ahead, and the one that the thread is creating.
      expect(Atomics.load(new Int32Array(produced), 0)).toBeLessThanOrEqual(taken + 4);
    }
    expect(taken).toBe(40);
  });
});

describeBuilt("errors in worker threads", () => {
  test("keep their class, message and fields, and arrive only after all earlier batches", async () => {
    const file = threeFiles()[2] as Uint8Array;
    const damaged = Uint8Array.from(file);
    damaged[file.length - 5] = (damaged[file.length - 5] as number) ^ 1;
    const broken = write("broken.tfrecord", damaged);
    const tfxio = await openTfxio([paths[0] as string, broken], { schema: SCHEMA });
    const here = (await rejection(collect(tfxio.recordBatches()))) as RecordError;
    const rows: number[] = [];
    const there = (await rejection(
      (async () => {
        for await (const batch of tfxio.recordBatches({ workers: 1 })) rows.push(...idsOf(batch));
      })(),
    )) as RecordError;
    expect(here).toMatchObject({ reason: "payload-crc", uri: broken, recordIndex: 14 });
    expect(there).toBeInstanceOf(RecordError);
    expect(isTfxioError(there, "corrupt-record")).toBe(true);
    expect(there.message).toBe(here.message);
    expect(Object.entries(there)).toEqual(Object.entries(here));
    expect(rows).toEqual(range(0, 10));
    // The TFXIO remains usable.
    const usable = tfxio.recordBatches({ workers: 1 })[Symbol.asyncIterator]();
    expect(idsOf((await usable.next()).value as RecordBatch)).toEqual(range(0, 10));
    await usable.return?.();
  });

  test("name a file that no longer exists", async () => {
    const lost = write("lost.tfrecord", examplesFile());
    const tfxio = await openTfxio(lost, { schema: SCHEMA });
    rmSync(lost);
    await expect(collect(tfxio.recordBatches({ workers: 1 }))).rejects.toMatchObject({
      code: "not-found",
      uri: lost,
    });
  });

  test("keep their name, message and cause if they are not TfxioErrors", async () => {
    const tfxio = await openToy({ ending: "type-error" });
    await expect(collect(tfxio.recordBatches({ workers: 1 }))).rejects.toMatchObject({
      name: "TypeError",
      message: "a plain one",
      cause: { name: "RangeError", message: "below" },
    });
  });

  test.each([
    ["exits", "exit", "The worker thread that read toy:0 ended early, with exit code "],
    ["throws outside the read", "throw-later", "The worker thread that read toy:0 failed: TypeError: "],
  ] as const)("report a thread that %s", async (_, ending, message) => {
    const tfxio = await openToy({ ending });
    await expect(collect(tfxio.recordBatches({ workers: 1 }))).rejects.toMatchObject({
      code: "io-failed",
      reason: "worker-failed",
      uri: "toy:0",
      message: expect.stringContaining(message),
    });
  });

  test.each([
    ["cannot be imported", "data:text/javascript,throw new Error('not here')"],
    ["does not export the format", "data:text/javascript,export const other = { id: 'other', open() {} }"],
  ])("report a module that %s", async (_, module) => {
    const format = { ...(await importToy()), module };
    const tfxio = await openTfxio(examplesFile(), { format: format as Format });
    await expect(collect(tfxio.recordBatches({ workers: 1 }))).rejects.toMatchObject({
      code: "unsupported",
      reason: "worker-format",
    });
  });
});

describeBuilt("a read in worker threads", () => {
  test("ends with the reason of the aborted signal, even while the thread stalls", async () => {
    const tfxio = await openToy({ batches: 1, ending: "stall" });
    const controller = new AbortController();
    const batches = tfxio.recordBatches({ workers: 1, signal: controller.signal })[Symbol.asyncIterator]();
    await batches.next();
    const next = batches.next();
    controller.abort("enough");
    await expect(next).rejects.toBe("enough");
    await expect(collect(tfxio.recordBatches({ workers: 1, signal: controller.signal }))).rejects.toBe(
      "enough",
    );
  });

  test("can be left while its threads stall", async () => {
    const tfxio = await openToy({ batches: 1, ending: "stall" }, 2);
    for await (const batch of tfxio.recordBatches({ workers: 2 })) {
      expect(batch.numRows).toBe(1);
      break;
    }
  });

  test("ends when its TFXIO is closed, and cannot be started afterwards", async () => {
    const tfxio = await openToy({ batches: 1, ending: "stall" });
    const batches = tfxio.recordBatches({ workers: 1 })[Symbol.asyncIterator]();
    await batches.next();
    const next = batches.next();
    await tfxio.close();
    const closed = { code: "invalid-argument", reason: "reader-closed" };
    await expect(next).rejects.toMatchObject(closed);
    await expect(collect(tfxio.recordBatches({ workers: 1 }))).rejects.toMatchObject(closed);
  });
});
