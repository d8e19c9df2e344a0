import { describe, expect, jest, test } from "@jest/globals";
import { encodeSequenceExample } from "@tfxio/arrow-encoding";
import { parseProto } from "@tfxio/formats-protobuf";
import { bytesSource } from "@tfxio/wire";
import { kernelInfo } from "@tfxio/wire/kernels";
import type { RecordBatch } from "apache-arrow";
import { type BatchLease, openTfxio, type RecordBatchesOptions, type Tfxio } from "../../src/index.js";
import { ReadWorker } from "../../src/workers/read-worker.js";
import { collect, examples, idsOf, range, SCHEMA, threeFiles, tfRecordFile } from "../fixtures.js";
import { describeBuilt, importToy } from "../worker-formats/index.js";

const open = (): Promise<Tfxio> => openTfxio(threeFiles(), { schema: SCHEMA });
const testWasm = kernelInfo().name === "wasm" ? test : test.skip;

/** Returns the rows as text, which does not depend on the memory of the batch. */
const textOf = (batch: RecordBatch): string =>
  JSON.stringify(batch.toArray(), (_, value: unknown) => (typeof value === "bigint" ? String(value) : value));

async function leasedTexts(tfxio: Tfxio, options: RecordBatchesOptions = {}): Promise<string[]> {
  const texts: string[] = [];
  for await (const lease of tfxio.leasedBatches(options)) {
    texts.push(textOf(lease.batch));
    lease.release();
  }
  return texts;
}

const idValues = (batch: RecordBatch): BigInt64Array =>
  batch.getChild("id")?.data[0]?.children[0]?.values as BigInt64Array;

/** Returns the number of WebAssembly instances created while `run` is pending. */
async function instancesCreated(run: () => Promise<void>): Promise<number> {
  const { WebAssembly } = globalThis as unknown as { WebAssembly: { Instance: new () => object } };
  const original = WebAssembly.Instance;
  let numCreated = 0;
  WebAssembly.Instance = new Proxy(original, {
    construct(target, args): object {
      numCreated++;
      return Reflect.construct(target, args) as object;
    },
  });
  try {
    await run();
  } finally {
    WebAssembly.Instance = original;
  }
  return numCreated;
}

const released = expect.objectContaining({ code: "invalid-argument", reason: "lease-released" });

describe("leased batches", () => {
  test("equal the batches of recordBatches, in the same order", async () => {
    const tfxio = await openTfxio(threeFiles(), { schema: SCHEMA, rawRecordColumn: "raw" });
    for (const options of [{}, { readerNumThreads: 2, numEpochs: 2 }]) {
      const owned = (await collect(tfxio.recordBatches(options))).map(textOf);
      expect(await leasedTexts(tfxio, options)).toEqual(owned);
    }
    const described = await openTfxio(threeFiles());
    expect(await leasedTexts(described)).toEqual((await collect(described.recordBatches())).map(textOf));
  });

  test("report progress, and reject batchSize", async () => {
    const tfxio = await open();
    const rows: number[] = [];
    for await (const lease of tfxio.leasedBatches({ onProgress: ({ numRows }) => rows.push(numRows) })) {
      lease.release();
    }
    expect(rows).toEqual([10, 15, 30]);
    expect(() => tfxio.leasedBatches({ batchSize: 2 } as object)).toThrow(
      expect.objectContaining({ code: "invalid-argument", reason: "unknown-option" }),
    );
  });

  testWasm("have no values after their release, and can no longer be accessed", async () => {
    for await (const lease of (await open()).leasedBatches()) {
      const values = idValues(lease.batch);
      expect([...values].map(Number)).toEqual(idsOf(lease.batch));
      lease.release();
      expect(values).toHaveLength(0);
      expect(() => lease.batch).toThrow(released);
      lease.release();
    }
  });

  testWasm("reuse the memory of batches that have been released", async () => {
    // The first batch may use a WebAssembly instance that is already idle. Afterwards two instances take turns.
    const tfxio = await openTfxio(tfRecordFile(examples(0, 40)), { schema: SCHEMA });
    const offsets = new Set<number>();
    let numBatches = 0;
    const numCreated = await instancesCreated(async () => {
      for await (const lease of tfxio.leasedBatches({ numEpochs: 6 })) {
        const values = idValues(lease.batch);
        expect([...values].map(Number)).toEqual(range(0, 40));
        offsets.add(values.byteOffset);
        numBatches++;
        lease.release();
      }
    });
    expect(numBatches).toBe(6);
    expect(numCreated).toBeLessThanOrEqual(2);
    expect(offsets.size).toBeLessThanOrEqual(2);
  });

  test("are released by their Symbol.dispose method", async () => {
    let last: BatchLease | undefined;
    for await (const lease of (await open()).leasedBatches()) {
      last = lease;
      lease[Symbol.dispose]();
    }
    expect(() => last?.batch).toThrow(released);
  });

  test("are limited to four at a time, not in total", async () => {
    const tfxio = await open();
    const held: BatchLease[] = [];
    const reading = (async () => {
      for await (const lease of tfxio.leasedBatches({ numEpochs: 2 })) held.push(lease);
    })();
    await expect(reading).rejects.toMatchObject({ code: "invalid-argument", reason: "too-many-leases" });
    expect(held).toHaveLength(4);
    for (const lease of held) expect(() => lease.batch).toThrow(released);
    let waiting: BatchLease[] = [];
    const rows: number[] = [];
    for await (const lease of tfxio.leasedBatches({ numEpochs: 3 })) {
      waiting.push(lease);
      if (waiting.length < 3) continue;
      for (const { batch, release } of waiting.map((each) => ({
        batch: each.batch,
        release: () => each.release(),
      }))) {
        rows.push(...idsOf(batch));
        release();
      }
      waiting = [];
    }
    expect(rows).toEqual([...range(0, 30), ...range(0, 30), ...range(0, 30)]);
  });

  test("are released when their loop is left, aborted or finished", async () => {
    const tfxio = await open();
    const held: BatchLease[] = [];
    for await (const lease of tfxio.leasedBatches()) {
      held.push(lease);
      break;
    }
    for await (const lease of tfxio.leasedBatches()) held.push(lease);
    const controller = new AbortController();
    const aborted = (async () => {
      for await (const lease of tfxio.leasedBatches({ signal: controller.signal })) {
        held.push(lease);
        controller.abort("enough");
      }
    })();
    await expect(aborted).rejects.toBe("enough");
    expect(held).toHaveLength(5);
    for (const lease of held) expect(() => lease.batch).toThrow(released);
  });

  test("may all be kept if there are only four", async () => {
    const held: BatchLease[] = [];
    const four = await openTfxio([...threeFiles(), tfRecordFile(examples(30, 32))], { schema: SCHEMA });
    const rows: number[][] = [];
    for await (const lease of four.leasedBatches()) {
      held.push(lease);
      rows.push(held.map(({ batch }) => batch.numRows));
    }
    expect(rows).toEqual([[10], [10, 5], [10, 5, 15], [10, 5, 15, 2]]);
  });

  test("are released at once when the signal aborts, even between two steps of the loop", async () => {
    const controller = new AbortController();
    const leases = (await open()).leasedBatches({ signal: controller.signal })[Symbol.asyncIterator]();
    const lease: BatchLease = (await leases.next()).value;
    expect(idsOf(lease.batch)).toEqual(range(0, 10));
    controller.abort("enough");
    expect(() => lease.batch).toThrow(released);
    await expect(leases.next()).rejects.toBe("enough");
  });

  test("are released at once when their TFXIO is closed", async () => {
    const tfxio = await open();
    const leases = tfxio.leasedBatches()[Symbol.asyncIterator]();
    const lease: BatchLease = (await leases.next()).value;
    const closing = tfxio.close();
    expect(() => lease.batch).toThrow(released);
    await closing;
    await expect(leases.next()).rejects.toMatchObject({ reason: "reader-closed" });
  });

  test("report data errors after the preceding batches", async () => {
    const broken = tfRecordFile([...examples(0, 3), Uint8Array.of(255)]);
    const tfxio = await openTfxio([threeFiles()[0] as Uint8Array, bytesSource(broken, "broken")], {
      schema: SCHEMA,
    });
    const rows: number[] = [];
    const reading = (async () => {
      for await (const lease of tfxio.leasedBatches()) {
        rows.push(...idsOf(lease.batch));
        lease.release();
      }
    })();
    await expect(reading).rejects.toMatchObject({ code: "malformed-payload", uri: "broken", recordIndex: 3 });
    expect(rows).toEqual(range(0, 10));
    expect(await leasedTexts(await open())).toHaveLength(3);
  });

  test("own their memory if the format lends none, but their leases still end when released", async () => {
    const toy = await openTfxio(bytesSource(Uint8Array.of(0), "toy"), { format: await importToy() });
    for await (const lease of toy.leasedBatches()) {
      const { batch } = lease;
      lease.release();
      expect(batch.numRows).toBe(1);
      expect(() => lease.batch).toThrow(released);
    }
  });
});

describeBuilt("leased batches of worker threads", () => {
  test.each([1, 2, 3])("equal the batches of recordBatches if the workers option is %i", async (workers) => {
    const tfxio = await openTfxio(threeFiles(), { schema: SCHEMA, rawRecordColumn: "raw" });
    const owned = (await collect(tfxio.recordBatches({ readerNumThreads: workers, numEpochs: 2 }))).map(
      textOf,
    );
    expect(await leasedTexts(tfxio, { workers, numEpochs: 2 })).toEqual(owned);
    const sloppy = await leasedTexts(tfxio, { workers, numEpochs: 2, sloppyOrdering: true });
    expect(sloppy.toSorted()).toEqual(owned.toSorted());
  });

  test("equal the batches of recordBatches for SequenceExamples", async () => {
    const sequence = encodeSequenceExample({
      context: { id: { kind: "int64", values: [7] } },
      featureLists: {
        steps: [
          { kind: "float", values: [1, 2] },
          { kind: "float", values: [] },
        ],
      },
    });
    const file = tfRecordFile([sequence, sequence]);
    const tfxio = await openTfxio(file, { format: "sequence-tfrecord" });
    const owned = (await collect(tfxio.recordBatches())).map(textOf);
    expect(await leasedTexts(tfxio)).toEqual(owned);
    expect(await leasedTexts(tfxio, { workers: 1 })).toEqual(owned);
  });

  test("equal the batches of recordBatches for protobuf messages", async () => {
    const type = await parseProto(
      'syntax = "proto3"; message M { repeated int64 id = 1; bytes name = 2; }',
      "M",
    );
    const record = (id: number): Uint8Array => Uint8Array.of(8, id, 18, 1, 64 + id);
    const files = [range(1, 9), range(9, 11), range(11, 25)].map((ids) => tfRecordFile(ids.map(record)));
    const tfxio = await openTfxio(files, { format: "protobuf", formatOptions: type });
    const owned = (await collect(tfxio.recordBatches())).map(textOf);
    expect(owned).toHaveLength(3);
    for (const workers of [0, 1, 2]) expect(await leasedTexts(tfxio, { workers })).toEqual(owned);
  });

  testWasm("are in shared memory, which is reused only after the release", async () => {
    const tfxio = await openTfxio(tfRecordFile(examples(0, 40)), { schema: SCHEMA });
    const places = new Set<number>();
    let held: BatchLease | undefined;
    for await (const lease of tfxio.leasedBatches({ workers: 1, numEpochs: 20 })) {
      const values = idValues(lease.batch);
      expect(Object.prototype.toString.call(values.buffer)).toBe("[object SharedArrayBuffer]");
      places.add(values.byteOffset);
      if (held === undefined) held = lease;
      else lease.release();
      expect(idsOf(held.batch)).toEqual(range(0, 40));
    }
    expect(places.size).toBeLessThanOrEqual(2);
    expect(() => held?.batch).toThrow(released);
  });

  test("are limited to four at a time, and the next loop can use the thread of a loop that exceeded the limit", async () => {
    const tfxio = await open();
    const held: BatchLease[] = [];
    const reading = (async () => {
      for await (const lease of tfxio.leasedBatches({ workers: 1, numEpochs: 3 })) held.push(lease);
    })();
    await expect(reading).rejects.toMatchObject({ reason: "too-many-leases" });
    expect(held).toHaveLength(4);
    expect(await leasedTexts(tfxio, { workers: 1 })).toHaveLength(3);
  });

  test("are released when their loop ends, so that the next loop can use the threads", async () => {
    const tfxio = await open();
    for (let pass = 0; pass < 5; pass++) {
      for await (const lease of tfxio.leasedBatches({ workers: 2, numEpochs: 4 })) {
        expect(lease.batch.numRows).toBe(10);
        if (pass % 2 === 0) lease.release();
        break;
      }
    }
    const owned = (await collect(tfxio.recordBatches({ workers: 2 }))).map(textOf);
    expect(await leasedTexts(tfxio, { workers: 2 })).toEqual(owned);
  });

  testWasm("are released when their TFXIO is closed, before their thread serves another TFXIO", async () => {
    const tfxio = await openTfxio(tfRecordFile(examples(0, 40)), { schema: SCHEMA });
    const leases = tfxio.leasedBatches({ workers: 1, numEpochs: 3 })[Symbol.asyncIterator]();
    const lease: BatchLease = (await leases.next()).value;
    expect(idsOf(lease.batch)).toEqual(range(0, 40));
    const closing = tfxio.close();
    expect(() => lease.batch).toThrow(released);
    await closing;
    await expect(leases.next()).rejects.toMatchObject({ reason: "reader-closed" });
    const other = await openTfxio(tfRecordFile(examples(40, 80)), { schema: SCHEMA });
    for await (const next of other.leasedBatches({ workers: 1, numEpochs: 5 })) {
      expect(idsOf(next.batch)).toEqual(range(40, 80));
      next.release();
    }
    expect(() => lease.batch).toThrow(released);
  });

  testWasm(
    "are released when a different file of the pass fails, before the threads are given back",
    async () => {
      const broken = tfRecordFile([Uint8Array.of(255)]);
      const tfxio = await openTfxio([tfRecordFile(examples(0, 40)), broken], { schema: SCHEMA });
      const giveBack = jest.spyOn(ReadWorker.prototype, "close");
      const releases: jest.SpiedFunction<() => void>[] = [];
      const reading = (async () => {
        for await (const lease of tfxio.leasedBatches({ workers: 2 }))
          releases.push(jest.spyOn(lease, "release"));
      })();
      await expect(reading).rejects.toMatchObject({ code: "malformed-payload" });
      expect(giveBack).toHaveBeenCalledTimes(2);
      expect(releases).toHaveLength(1);
      const [releasedAt = Infinity] = releases[0]?.mock.invocationCallOrder ?? [];
      for (const order of giveBack.mock.invocationCallOrder) expect(releasedAt).toBeLessThan(order);
      giveBack.mockRestore();
    },
  );

  test("own their memory if the format lends none", async () => {
    const toy = await openTfxio(bytesSource(Uint8Array.of(0), "toy"), { format: await importToy() });
    const values: number[] = [];
    for await (const lease of toy.leasedBatches({ workers: 1 })) {
      const { batch } = lease;
      lease.release();
      values.push(Number(batch.getChild("value")?.get(0)));
    }
    expect(values).toEqual([0, 1, 2]);
  });

  test('need shared memory if the workers option is 1, but not if it is "auto"', async () => {
    const { SharedArrayBuffer } = globalThis;
    const tfxio = await open();
    try {
      Reflect.deleteProperty(globalThis, "SharedArrayBuffer");
      await expect(leasedTexts(tfxio, { workers: 1 })).rejects.toMatchObject({
        code: "unsupported",
        reason: "shared-memory",
      });
      expect(await leasedTexts(tfxio, { workers: "auto" })).toHaveLength(3);
    } finally {
      Object.assign(globalThis, { SharedArrayBuffer });
    }
  });
});
