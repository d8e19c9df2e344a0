import { getEventListeners } from "node:events";
import { describe, expect, test } from "@jest/globals";
import { openTfxio, type RecordBatchesOptions, type TfxioProgress } from "../src/index.js";
import { collect, examples, idsOf, range, SCHEMA, tfRecordFile, threeFiles } from "./fixtures.js";

const open = () => openTfxio(threeFiles(), { schema: SCHEMA });

describe("recordBatches", () => {
  test("yields all rows in file order by default", async () => {
    const batches = await collect((await open()).recordBatches());
    expect(batches.map(idsOf)).toEqual([range(0, 10), range(10, 15), range(15, 30)]);
  });

  test("fills batches of an exact size across files, and keeps or drops the smaller last batch", async () => {
    const batches = await collect((await open()).recordBatches({ batchSize: 8 }));
    expect(batches.map(idsOf)).toEqual([range(0, 8), range(8, 16), range(16, 24), range(24, 30)]);
    const dropped = await collect((await open()).recordBatches({ batchSize: 8, dropFinalBatch: true }));
    expect(dropped.map((batch) => batch.numRows)).toEqual([8, 8, 8]);
  });

  test("fills batches across epochs", async () => {
    const tfxio = await openTfxio(tfRecordFile(examples(0, 5)), { schema: SCHEMA });
    const batches = await collect(tfxio.recordBatches({ batchSize: 4, numEpochs: 2 }));
    expect(batches.map(idsOf)).toEqual([
      [0, 1, 2, 3],
      [4, 0, 1, 2],
      [3, 4],
    ]);
  });

  test("repeats all rows until the loop is left if numEpochs is infinite, and ends at once if there are no rows", async () => {
    const tfxio = await openTfxio(tfRecordFile(examples(0, 3)), { schema: SCHEMA });
    const seen: number[] = [];
    for await (const batch of tfxio.recordBatches({ numEpochs: Number.POSITIVE_INFINITY })) {
      seen.push(...idsOf(batch));
      if (seen.length > 8) break;
    }
    expect(seen).toEqual([0, 1, 2, 0, 1, 2, 0, 1, 2]);
    const empty = await openTfxio(new Uint8Array(0), { schema: SCHEMA, format: "tfrecord" });
    expect(await collect(empty.recordBatches({ numEpochs: Number.POSITIVE_INFINITY }))).toEqual([]);
  });

  test("yields each row once per epoch when shuffled, in an order that depends only on the seed and the epoch", async () => {
    const tfxio = await open();
    const read = async (shuffleSeed: number, numEpochs = 1): Promise<number[]> => {
      const batches = await collect(
        tfxio.recordBatches({ shuffle: true, shuffleSeed, numEpochs, batchSize: 7 }),
      );
      return batches.flatMap(idsOf);
    };
    const first = await read(1);
    expect(first).not.toEqual(range(0, 30));
    expect([...first].sort((a, b) => a - b)).toEqual(range(0, 30));
    expect(await read(1)).toEqual(first);
    expect(await read(2)).not.toEqual(first);
    const twice = await read(1, 2);
    expect(twice.slice(0, 30)).toEqual(first);
    expect(twice.slice(30)).not.toEqual(first);
    expect(twice.slice(30).sort((a, b) => a - b)).toEqual(range(0, 30));
  });

  test("shuffles only within the buffer: a buffer of one row keeps the order of a file", async () => {
    const tfxio = await openTfxio(tfRecordFile(examples(0, 20)), { schema: SCHEMA });
    const batches = await collect(tfxio.recordBatches({ shuffle: true, shuffleBufferSize: 1 }));
    expect(batches.flatMap(idsOf)).toEqual(range(0, 20));
  });

  test("keeps all values of a shuffled row together", async () => {
    const tfxio = await open();
    for await (const batch of tfxio.recordBatches({ shuffle: true, shuffleSeed: 5 })) {
      for (const [row, id] of idsOf(batch).entries()) {
        expect([...(batch.getChild("x")?.get(row) ?? [])]).toEqual([id, -id]);
        const tags = batch.getChild("tags")?.get(row);
        expect(tags === null ? null : tags.length).toBe(id % 4 === 0 ? null : id % 3);
      }
    }
  });

  test("reads with several readers that take turns in a fixed order, unless sloppyOrdering is set", async () => {
    const tfxio = await open();
    const read = async (): Promise<number[][]> =>
      (await collect(tfxio.recordBatches({ readerNumThreads: 2 }))).map(idsOf);
    expect(await read()).toEqual([range(0, 10), range(10, 15), range(15, 30)]);
    expect(await read()).toEqual(await read());
    const sloppy = await collect(tfxio.recordBatches({ readerNumThreads: 3, sloppyOrdering: true }));
    expect(sloppy.flatMap(idsOf).sort((a, b) => a - b)).toEqual(range(0, 30));
  });

  test("reports progress across files and epochs", async () => {
    const reports: TfxioProgress[] = [];
    const files = threeFiles();
    const tfxio = await openTfxio(files, { schema: SCHEMA });
    await collect(tfxio.recordBatches({ numEpochs: 2, onProgress: (progress) => reports.push(progress) }));
    const numBytes = files.reduce((sum, file) => sum + file.length, 0);
    expect(reports.at(-1)).toMatchObject({ epoch: 1, numRows: 60, numBytes: 2 * numBytes, numSkipped: 0 });
    expect(reports.map((report) => report.numRows)).toEqual([10, 15, 30, 40, 45, 60]);
  });

  test("stops with the reason of the signal", async () => {
    const controller = new AbortController();
    const reason = { why: "enough" };
    const batches = (await open()).recordBatches({ signal: controller.signal });
    const iterator = batches[Symbol.asyncIterator]();
    await iterator.next();
    controller.abort(reason);
    await expect(iterator.next()).rejects.toBe(reason);
  });

  test("yields no batch after the abort, even if one is ready", async () => {
    const controller = new AbortController();
    const batches = (await open()).recordBatches({ signal: controller.signal, readerNumThreads: 3 });
    const iterator = batches[Symbol.asyncIterator]();
    await iterator.next();
    await new Promise((resolve) => setTimeout(resolve, 20));
    controller.abort();
    await expect(iterator.next()).rejects.toBe(controller.signal.reason);
  });

  test("names the index of a malformed record in each pass, and skips the record on request", async () => {
    const bad = threeFiles();
    bad[1] = tfRecordFile([...examples(10, 12), new Uint8Array([0x0a, 0x7f])]);
    const tfxio = await openTfxio(bad, { schema: SCHEMA });
    const failing = collect(tfxio.recordBatches());
    await expect(failing).rejects.toMatchObject({ code: "malformed-payload", recordIndex: 2 });
    const again = collect(tfxio.recordBatches());
    await expect(again).rejects.toMatchObject({ code: "malformed-payload", recordIndex: 2 });
    const skipping = await openTfxio(bad, { schema: SCHEMA, formatOptions: { onMalformed: "skip" } });
    expect((await collect(skipping.recordBatches())).flatMap(idsOf)).toEqual([
      ...range(0, 12),
      ...range(15, 30),
    ]);
  });

  test.each([
    [{ batchSize: 0 }, "batchSize"],
    [{ numEpochs: 1.5 }, "numEpochs"],
    [{ shuffleBufferSize: -1 }, "shuffleBufferSize"],
    [{ shuffleSeed: -1 }, "shuffleSeed"],
    [{ readerNumThreads: 0 }, "readerNumThreads"],
    [{ dropFinalBatch: true }, "dropFinalBatch"],
    [{ shuffle: "yes" }, "shuffle"],
    [{ sloppyOrdering: 1 }, "sloppyOrdering"],
    [{ shuffleSeed: 1 }, "shuffleSeed"],
    [{ shuffleBufferSize: 1 }, "shuffleBufferSize"],
    [{ signal: 5 }, "signal"],
    [{ onProgress: 5 }, "onProgress"],
    [null, "options"],
    [[], "options"],
    [{ parserNumThreads: 2 }, "parserNumThreads"],
  ])("rejects %j as soon as recordBatches is called", async (options, argument) => {
    const tfxio = await open();
    expect(() => tfxio.recordBatches(options as RecordBatchesOptions)).toThrow(
      expect.objectContaining({ code: "invalid-argument", argument }),
    );
  });
});

test("the error for invalid options says that a list or an empty object was found", async () => {
  const tfxio = await open();
  expect(() => tfxio.leasedBatches([] as object)).toThrow("options must be an object, found an empty list");
  expect(() => tfxio.recordBatches({ shuffle: {} } as object)).toThrow(
    'must be true, false or "all", found an empty object',
  );
});

test("read passes that share a signal add only one listener to it, and remove the listener when they end", async () => {
  const tfxio = await open();
  const { signal } = new AbortController();
  const passes = Array.from({ length: 12 }, () => tfxio.recordBatches({ signal })[Symbol.asyncIterator]());
  const first = await Promise.all(passes.map((pass) => pass.next()));
  expect(first.map(({ value }) => idsOf(value))).toEqual(Array(12).fill(range(0, 10)));
  expect(getEventListeners(signal, "abort")).toHaveLength(1);
  for (const pass of passes) await pass.return?.();
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

describe("rawRecords", () => {
  test("yields the bytes of each record as written", async () => {
    const records = examples(0, 6);
    const tfxio = await openTfxio(tfRecordFile(records), { schema: SCHEMA });
    const batches = await collect(tfxio.rawRecords());
    expect(batches.map((batch) => batch.schema.names)).toEqual([["raw_record"]]);
    const values = Array.from({ length: 6 }, (_, row) => batches[0]?.getChildAt(0)?.get(row)?.get(0));
    expect(values.map((value) => [...value])).toEqual(records.map((record) => [...record]));
  });
});
