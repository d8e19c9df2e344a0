import * as tf from "@tensorflow/tfjs-core";
import "@tensorflow/tfjs-backend-cpu";
import { beforeAll, describe, expect, jest, test } from "@jest/globals";
import { examplePayload } from "@tfxio/formats-tfrecord";
import type { HostDense } from "@tfxio/tensor-adapter";
import { ArgumentError } from "@tfxio/wire";
import { describeRead, type RecordSource, recordTfxio, type TfxioProgress } from "../../src/index.js";
import { collect, examples, idsOf, range, SCHEMA } from "../fixtures.js";

const open = (records: RecordSource, options: Partial<Parameters<typeof recordTfxio>[0]> = {}) =>
  recordTfxio({ records, payload: examplePayload, schema: SCHEMA, ...options });

/** Creates an iterator of records that arrive when the test sends them. */
function queue(): AsyncIterableIterator<Uint8Array> & {
  send(...records: Uint8Array[]): void;
  end(): void;
  readonly numReturned: number;
  /** Resolves when the reader awaits a record that has not been sent yet. */
  awaited(): Promise<void>;
} {
  const waiting: ((result: IteratorResult<Uint8Array>) => void)[] = [];
  const ready: IteratorResult<Uint8Array>[] = [];
  let numReturned = 0;
  const put = (result: IteratorResult<Uint8Array>): void => {
    const taker = waiting.shift();
    if (taker === undefined) ready.push(result);
    else taker(result);
  };
  return {
    send: (...records) => records.forEach((value) => put({ done: false, value })),
    end: () => put({ done: true, value: undefined }),
    next: () => {
      const result = ready.shift();
      return result === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(result);
    },
    return: async () => {
      numReturned++;
      return { done: true, value: undefined };
    },
    get numReturned() {
      return numReturned;
    },
    async awaited() {
      while (waiting.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** Lets all ready tasks run. */
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

beforeAll(async () => {
  await tf.setBackend("cpu");
});

describe("recordTfxio", () => {
  test("yields the rows and tensors of its records under the given schema", async () => {
    const tfxio = await open(() => examples(0, 10));
    expect(tfxio.schema()).toBe(SCHEMA);
    expect(tfxio.arrowSchema().names).toEqual(["id", "x", "tags", "y"]);
    const [batch] = await collect(tfxio.recordBatches());
    expect(idsOf(batch!)).toEqual(range(0, 10));
    const host = tfxio.tensorAdapter().toHost(batch!);
    expect((host["x"] as HostDense).values).toEqual(Float32Array.from(range(0, 10).flatMap((i) => [i, -i])));
    const [first] = await collect(tfxio.rows());
    expect(first).toEqual({ id: [0], x: [0, -0], tags: null, y: [0] });
  });

  test("accepts records from an async generator", async () => {
    async function* records(): AsyncGenerator<Uint8Array> {
      for (const record of examples(0, 5)) yield record;
    }
    expect((await collect((await open(records())).recordBatches())).flatMap(idsOf)).toEqual(range(0, 5));
  });

  test("yields batches with their own Arrow schemas if there is no TFMD schema", async () => {
    const tfxio = await recordTfxio({ records: examples(0, 3), payload: examplePayload });
    const [batch] = await collect(tfxio.recordBatches());
    expect(batch?.schema.names).toEqual(["id", "tags", "x", "y"]);
    expect(() => tfxio.schema()).toThrow(expect.objectContaining({ code: "schema-required" }));
  });

  test("ends batches after batchSize rows and after the last record", async () => {
    const batches = await collect((await open(examples(0, 10), { batchSize: 4 })).recordBatches());
    expect(batches.map(({ numRows }) => numRows)).toEqual([4, 4, 2]);
    expect(batches.flatMap(idsOf)).toEqual(range(0, 10));
  });

  test("ends batches at about 32 MiB", async () => {
    const { encodeExample } = await import("@tfxio/arrow-encoding");
    const record = encodeExample({ blob: { kind: "bytes", values: [new Uint8Array(4 * 2 ** 20)] } });
    const tfxio = await recordTfxio({ records: Array<Uint8Array>(20).fill(record), payload: examplePayload });
    const sizes = (await collect(tfxio.recordBatches())).map(({ numRows }) => numRows);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(20);
    for (const size of sizes) expect(size).toBeLessThanOrEqual(9);
    expect(sizes.length).toBeLessThanOrEqual(4);
  });

  test("yields no batch if there are no records", async () => {
    expect(await collect((await open([])).recordBatches())).toEqual([]);
  });

  test("allows a record to be overwritten when the next record is requested", async () => {
    const all = examples(1, 4);
    async function* reused(): AsyncGenerator<Uint8Array> {
      const memory = new Uint8Array(1000);
      for (const record of all) {
        memory.fill(0);
        memory.set(record);
        yield memory.subarray(0, record.length);
      }
    }
    expect((await collect((await open(reused())).recordBatches())).flatMap(idsOf)).toEqual([1, 2, 3]);
  });

  test("reads the requested columns, filters rows, and adds a column of raw records", async () => {
    const records = examples(0, 10);
    const tfxio = await open(() => records, { columns: ["y"], filter: "id >= 7", rawRecordColumn: "raw" });
    expect(tfxio.arrowSchema().names).toEqual(["y", "raw"]);
    const [batch] = await collect(tfxio.recordBatches());
    const raw = Array.from(batch!.getChild("raw")!, (list) => Buffer.from(list.get(0)));
    expect(raw).toEqual(records.slice(7).map((record) => Buffer.from(record)));
  });

  test("projects, splits by a column and reads raw records", async () => {
    const tfxio = await open(() => examples(0, 50));
    expect(tfxio.project(["x"]).arrowSchema().names).toEqual(["x"]);
    const { train, validation } = tfxio.split({ validation: 0.3, by: "id" });
    const parts = await Promise.all([train, validation].map((part) => collect(part.recordBatches())));
    const ids = parts.map((batches) => batches.flatMap(idsOf));
    expect(ids.every((part) => part.length > 0)).toBe(true);
    expect(ids.flat().sort((a, b) => a - b)).toEqual(range(0, 50));
    const raw = await collect(tfxio.rawRecords());
    expect(raw.map(({ numRows, schema }) => [numRows, schema.names])).toEqual([[50, ["raw_record"]]]);
  });

  test("yields the tensors of every row twice in two shuffled epochs, and leaks none", async () => {
    const tfxio = await open(() => examples(0, 10));
    const before = tf.memory().numTensors;
    const dataset = tfxio.project(["id"]).dataset({ batchSize: 4, numEpochs: 2, shuffleSeed: 1, tf });
    const ids: number[] = [];
    for await (const { id } of dataset as AsyncIterable<Record<string, tf.Tensor>>) {
      ids.push(...id!.dataSync());
      id!.dispose();
    }
    expect(ids.sort((a, b) => a - b)).toEqual(range(0, 10).flatMap((i) => [i, i]));
    expect(tf.memory().numTensors).toBe(before);
  });

  test("counts the records that a skip policy drops", async () => {
    const [first, last] = examples(0, 2);
    const records = [first!, Uint8Array.of(255), last!, Uint8Array.of(255)];
    const seen: TfxioProgress[] = [];
    const tfxio = await open(records, { payloadOptions: { onMalformed: "skip" } });
    const batches = await collect(tfxio.recordBatches({ onProgress: (progress) => seen.push(progress) }));
    expect(batches.flatMap(idsOf)).toEqual([0, 1]);
    const numBytes = records.reduce((sum, { length }) => sum + length, 0);
    expect(seen.at(-1)).toEqual({ epoch: 0, uri: "records", numRows: 2, numBytes, numSkipped: 2 });
  });

  test("names a damaged record by its index", async () => {
    const tfxio = await open([...examples(0, 3), Uint8Array.of(255)]);
    await expect(collect(tfxio.recordBatches())).rejects.toMatchObject({
      code: "malformed-payload",
      uri: "records",
      recordIndex: 3,
    });
  });
});

describe("passes over records", () => {
  test("reject a second read of an iterable", async () => {
    const tfxio = await open(examples(0, 3));
    await collect(tfxio.recordBatches());
    await expect(collect(tfxio.recordBatches())).rejects.toMatchObject({
      code: "invalid-argument",
      reason: "stream-consumed",
    });
  });

  test("call the records function once per epoch, and not before the first next()", async () => {
    const records = jest.fn(() => examples(0, 3));
    const tfxio = await open(records);
    const waiting = tfxio.recordBatches()[Symbol.asyncIterator]();
    expect(records).not.toHaveBeenCalled();
    await waiting.next();
    await waiting.return?.();
    expect((await collect(tfxio.recordBatches({ numEpochs: 2 }))).flatMap(idsOf)).toEqual([0, 1, 2, 0, 1, 2]);
    expect(records).toHaveBeenCalledTimes(3);
  });
});

describe("flushAfterMs", () => {
  test.each([
    ["with a schema", SCHEMA],
    ["without a schema", undefined],
  ])(
    "passes on the records that a slow queue has delivered, and loses no later record, %s",
    async (_, schema) => {
      const source = queue();
      const tfxio = await open(source, { flushAfterMs: 20, schema });
      const batches = tfxio.recordBatches()[Symbol.asyncIterator]();
      const [a, b, c] = examples(0, 3) as [Uint8Array, Uint8Array, Uint8Array];
      source.send(a, b);
      const first = await batches.next();
      expect(idsOf(first.value)).toEqual([0, 1]);
      source.send(c);
      const second = await batches.next();
      expect(idsOf(second.value)).toEqual([2]);
      source.end();
      expect(await batches.next()).toMatchObject({ done: true });
      expect(source.numReturned).toBe(0);
    },
  );

  test("ends batches after the delay even if the generator blocks the event loop", async () => {
    function* slow(): Generator<Uint8Array> {
      for (const record of examples(0, 6)) {
        const until = performance.now() + 15;
        while (performance.now() < until);
        yield record;
      }
    }
    const batches = await collect((await open(slow(), { flushAfterMs: 20 })).recordBatches());
    expect(batches.length).toBeGreaterThan(1);
    expect(batches.flatMap(idsOf)).toEqual(range(0, 6));
  });

  test("of 0 makes each record a batch", async () => {
    const batches = await collect((await open(examples(0, 3), { flushAfterMs: 0 })).recordBatches());
    expect(batches.map(idsOf)).toEqual([[0], [1], [2]]);
  });

  test("leaves no timer running", async () => {
    const set = jest.spyOn(globalThis, "setTimeout");
    const clear = jest.spyOn(globalThis, "clearTimeout");
    try {
      const tfxio = await open(() => examples(0, 10), { flushAfterMs: 60_000, batchSize: 4 });
      await collect(tfxio.recordBatches());
      for await (const _ of tfxio.recordBatches()) break;
      const mine = set.mock.calls.flatMap(([, delay], call) =>
        delay === 60_000 ? [set.mock.results[call]?.value as NodeJS.Timeout] : [],
      );
      expect(mine.length).toBeGreaterThanOrEqual(4);
      const cleared = clear.mock.calls.map(([timer]) => timer);
      for (const timer of mine) {
        expect(timer.hasRef()).toBe(false);
        expect(cleared).toContain(timer);
      }
    } finally {
      set.mockRestore();
      clear.mockRestore();
    }
  });
});

describe("a pass over records", () => {
  test("stops waiting for a record and calls return on the iterator if the signal aborts", async () => {
    const source = queue();
    const tfxio = await open(source);
    const abort = new AbortController();
    const pass = collect(tfxio.recordBatches({ signal: abort.signal }));
    source.send(...examples(0, 2));
    await source.awaited();
    const reason = new Error("enough");
    abort.abort(reason);
    await expect(pass).rejects.toBe(reason);
    expect(source.numReturned).toBe(1);
  });

  test.each([
    ["with a schema", SCHEMA],
    ["without a schema", undefined],
  ])("calls return on the iterator if the loop is left while a record is awaited, %s", async (_, schema) => {
    const source = queue();
    const tfxio = await open(source, { schema });
    const batches = tfxio.recordBatches()[Symbol.asyncIterator]();
    const next = batches.next();
    await source.awaited();
    await batches.return?.();
    await expect(next).resolves.toMatchObject({ done: true });
    expect(source.numReturned).toBe(1);
  });

  test("runs the finally block of a generator if the loop is left", async () => {
    let isClosed = false;
    function* records(): Generator<Uint8Array> {
      try {
        yield* examples(0, 10);
      } finally {
        isClosed = true;
      }
    }
    for await (const _ of (await open(records(), { batchSize: 2 })).recordBatches()) break;
    expect(isClosed).toBe(true);
  });

  test("is rejected when the TFXIO is closed, and calls return on the iterator", async () => {
    const source = queue();
    const tfxio = await open(source);
    const pass = collect(tfxio.recordBatches());
    await settle();
    await tfxio.close();
    await expect(pass).rejects.toMatchObject({ code: "invalid-argument", reason: "reader-closed" });
    expect(source.numReturned).toBe(1);
  });

  test("is rejected with a user-function error whose cause is the error that the caller's code threw", async () => {
    const cause = new Error("the queue is gone");
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield* examples(0, 2);
      throw cause;
    }
    await expect(collect((await open(failing())).recordBatches())).rejects.toMatchObject({
      code: "user-function",
      operator: "records",
      elementIndex: 2,
      cause,
    });
    const throwing = (): never => {
      throw cause;
    };
    await expect(collect((await open(throwing)).recordBatches())).rejects.toMatchObject({
      code: "user-function",
      cause,
    });
  });

  test("rethrows a TfxioError of the caller's code unchanged", async () => {
    const error = new ArgumentError("invalid-argument", "mine");
    const failing = (): Iterable<Uint8Array> => {
      throw error;
    };
    await expect(collect((await open(failing)).recordBatches())).rejects.toBe(error);
  });

  test("calls return on the iterator after a damaged record", async () => {
    const source = queue();
    source.send(Uint8Array.of(255));
    await expect(collect((await open(source)).recordBatches())).rejects.toMatchObject({
      code: "malformed-payload",
    });
    expect(source.numReturned).toBe(1);
  });
});

describe("recordTfxio with unsupported requests or invalid arguments", () => {
  const unsupported = { code: "unsupported" };

  test('rejects plans, descriptions and worker threads, but reads on the calling thread with workers: "auto"', async () => {
    const tfxio = await open(() => examples(0, 3));
    await expect(tfxio.plan()).rejects.toMatchObject({ ...unsupported, reason: "caller-data" });
    await expect(tfxio.plan()).rejects.toThrow("A TFXIO over records has no plan");
    expect(() => describeRead(tfxio)).toThrow(expect.objectContaining(unsupported));
    expect(() => describeRead(tfxio)).toThrow(
      "cannot be repeated in another thread or process: the records exist only in this thread.",
    );
    await expect(collect(tfxio.recordBatches({ workers: 1 }))).rejects.toMatchObject(unsupported);
    expect((await collect(tfxio.recordBatches({ workers: "auto" }))).flatMap(idsOf)).toEqual([0, 1, 2]);
  });

  test("rejects plans of projections, and splits that need row positions", async () => {
    const tfxio = await open(() => examples(0, 3));
    await expect(tfxio.project(["x"]).plan()).rejects.toMatchObject(unsupported);
    expect(() => tfxio.split({ validation: 0.5 })).toThrow(
      expect.objectContaining({ ...unsupported, reason: "undeclared-request" }),
    );
  });

  test.each([
    ["text for records", { records: "abc" }, "records"],
    ["bytes for records", { records: new Uint8Array(3) }, "records"],
    ["a missing payload", { payload: undefined }, "payload"],
    ["an unknown option", { inferSchema: "full" }, "inferSchema"],
    ["an unknown payload option", { payloadOptions: { crc: true } }, "crc"],
    ["an invalid payload option", { payloadOptions: { onMalformed: "ignore" } }, "onMalformed"],
    ["a batch size of 0", { batchSize: 0 }, "batchSize"],
    ["a negative delay", { flushAfterMs: -1 }, "flushAfterMs"],
    ["an infinite delay", { flushAfterMs: Number.POSITIVE_INFINITY }, "flushAfterMs"],
    ["text for a schema", { schema: "feature {}" }, "schema"],
  ])("rejects %s, and the error names the argument", async (_title, options, argument) => {
    await expect(open([], options as never)).rejects.toMatchObject({ code: "invalid-argument", argument });
  });

  test("rejects a function that does not return records, and names the index of a record that is not bytes", async () => {
    const records = [...examples(0, 1), "text"] as unknown as Uint8Array[];
    await expect(collect((await open(records)).recordBatches())).rejects.toMatchObject({
      reason: "record-type",
      message: expect.stringContaining('Record 1 is "text", expected a Uint8Array.'),
    });
    await expect(collect((await open((() => 5) as never)).recordBatches())).rejects.toMatchObject({
      reason: "record-type",
    });
  });

  test("rejects an async function for records, and handles the rejection of its promise", async () => {
    const failures: unknown[] = [];
    const onFailure = (reason: unknown): void => void failures.push(reason);
    process.on("unhandledRejection", onFailure);
    try {
      const records = async (): Promise<never> => {
        throw new Error("no database");
      };
      await expect(collect((await open(records as never)).recordBatches())).rejects.toMatchObject({
        reason: "record-type",
        message: expect.stringContaining("found one that returns a Promise"),
      });
      await new Promise((resolve) => setTimeout(resolve));
      expect(failures).toEqual([]);
    } finally {
      process.off("unhandledRejection", onFailure);
    }
  });
});
