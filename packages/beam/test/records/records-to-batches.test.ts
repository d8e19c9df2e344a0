import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, jest, test } from "@jest/globals";
import { encodeExample, plainRows } from "@tfxio/arrow-encoding";
import { recordsToBatches, type RecordsToBatchesOptions } from "@tfxio/beam";
import { examplePayload, rawPayload } from "@tfxio/formats-tfrecord";
import { parseProto } from "@tfxio/formats-protobuf";
import { defineSchema, float, int } from "@tfxio/schema";
import { createDataView, createRecordDecoder, protoPlaceholder } from "@tfxio/struct2tensor";
import type { RecordBatch } from "apache-arrow";
import type { PCollection, Root } from "apache-beam/pvalue";
import type { WindowFn } from "apache-beam/transforms/window";
import { installRepairs } from "../../src/compat/install-repairs.js";
import type { Sdk } from "../../src/compat/sdk.js";
import { runWindowed } from "./direct-run.js";

let sdk: Sdk;
let folder = "";
beforeAll(async () => {
  // loadSdk replaces a missing @google-cloud/pubsub with an empty module, but jest's module loader ignores that.
  jest.mock("@google-cloud/pubsub", () => ({}), { virtual: true });
  for (const method of ["log", "debug", "error"] as const)
    jest.spyOn(console, method).mockImplementation(() => {});
  sdk = installRepairs();
  sdk.registry.requireForSerialization("test-records", { recordOf, timeOf });
  folder = await mkdtemp(path.join(tmpdir(), "records-to-batches-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Returns a record whose last byte is the id, which must be below 128. */
const encodeOne = (id: number): Uint8Array => encodeExample({ id: { kind: "int64", values: [id] } });
const recordOf = (bytes: readonly number[]): Uint8Array => Uint8Array.from(bytes);
/** Returns the timestamp of a record: its id, taken as seconds. */
const timeOf = (record: Uint8Array, { constructor }: object): unknown =>
  (constructor as unknown as { fromNumber(value: number): unknown }).fromNumber(1000 * record.at(-1));
const schema = defineSchema({ features: { id: int() } });
const idsOf = (batch: unknown): number[] =>
  plainRows(batch as RecordBatch).map(({ id }) => Number((id as unknown[])[0]));

/** Creates records with ids from 0, in the given windows or the global window. */
function recordsIn(root: Root, numRecords: number, windows?: WindowFn<never>): PCollection<Uint8Array> {
  const { assignTimestamps, create, windowInto } = sdk.transforms;
  const bytes = Array.from({ length: numRecords }, (_, id) => [...encodeOne(id)]);
  const records = root
    .apply(create(bytes))
    .map(recordOf)
    .apply(sdk.internal.withCoderInternal(new sdk.requiredCoders.BytesCoder())) as PCollection<Uint8Array>;
  if (windows === undefined) return records;
  return records.apply(assignTimestamps(timeOf)).apply(windowInto(windows)) as PCollection<Uint8Array>;
}

async function batched(
  numRecords: number,
  options: RecordsToBatchesOptions = {},
  windows?: WindowFn<never>,
): Promise<{ readonly ids: readonly number[]; readonly window: unknown }[]> {
  const { elements } = await runWindowed(async (root) =>
    recordsIn(root, numRecords, windows).applyAsync(
      recordsToBatches({ payload: examplePayload, schema }, options),
    ),
  );
  return elements.map(({ element, window }) => ({ ids: idsOf(element), window }));
}

describe("recordsToBatches", () => {
  test("decodes the records of a bundle into one batch, and counts its rows and bytes", async () => {
    const { elements, counters, distributions } = await runWindowed(async (root) =>
      recordsIn(root, 5).applyAsync(recordsToBatches({ payload: examplePayload, schema })),
    );
    expect(elements.map(({ element }) => idsOf(element))).toEqual([[0, 1, 2, 3, 4]]);
    expect(counters).toEqual({});
    expect(distributions).toEqual({
      num_rows: { count: 1, sum: 5, min: 5, max: 5 },
      // Five lists of one int64: 6 int32 offsets and 5 values.
      record_batch_byte_size: { count: 1, sum: 64, min: 64, max: 64 },
    });
  });

  test("finishes a batch when it has batchSize records", async () => {
    const batches = await batched(7, { batchSize: 3 });
    expect(batches.map(({ ids }) => ids)).toEqual([[0, 1, 2], [3, 4, 5], [6]]);
  });

  test("finishes a batch when the total size of its records reaches batchBytes", async () => {
    const batches = await batched(4, { batchBytes: encodeOne(0).length + 1 });
    expect(batches.map(({ ids }) => ids)).toEqual([
      [0, 1],
      [2, 3],
    ]);
  });

  test("puts records of different fixed windows into different batches", async () => {
    const batches = await batched(25, { batchSize: 8 }, sdk.transforms.fixedWindows(10) as never);
    const ids = (from: number, to: number): number[] =>
      Array.from({ length: to - from }, (_, at) => from + at);
    expect(batches.toSorted((a, b) => (a.ids[0] as number) - (b.ids[0] as number))).toEqual([
      { ids: ids(0, 8), window: [0, 10] },
      { ids: ids(8, 10), window: [0, 10] },
      { ids: ids(10, 18), window: [10, 20] },
      { ids: ids(18, 20), window: [10, 20] },
      { ids: ids(20, 25), window: [20, 30] },
    ]);
  });

  test("puts a record that is in several windows into a batch of each window", async () => {
    const batches = await batched(12, {}, sdk.transforms.slidingWindows(10, 5) as never);
    const inWindow = (start: number): number[] =>
      Array.from({ length: 12 }, (_, id) => id).filter((id) => id >= start && id < start + 10);
    const byStart = batches.toSorted((a, b) => (a.window as [number])[0] - (b.window as [number])[0]);
    expect(byStart).toEqual(
      [-5, 0, 5, 10].map((start) => ({ ids: inWindow(start), window: [start, start + 10] })),
    );
  });

  test("emits batches early when the records of all open windows reach the buffer limit", async () => {
    // Each window has one record, which fills half of the window's buffer. With the record of the 32nd window, all buffers
    // together reach the limit of 16 full buffers.
    const batchBytes = 2 * encodeOne(0).length;
    const batches = await batched(40, { batchBytes }, sdk.transforms.fixedWindows(1) as never);
    expect(batches.map(({ ids }) => ids).slice(0, 9)).toEqual(
      [31, 32, 33, 34, 35, 36, 37, 38, 39].map((id) => [id]),
    );
    expect(batches).toHaveLength(40);
  });

  test("counts the malformed records that it skips", async () => {
    const payloadOptions = { onMalformed: "skip" };
    const { elements, counters } = await runWindowed(async (root) => {
      const { create } = sdk.transforms;
      const bytes = new sdk.requiredCoders.BytesCoder();
      const records = root
        .apply(create([[...encodeOne(3)], [255]]))
        .map(recordOf)
        .apply(sdk.internal.withCoderInternal(bytes)) as PCollection<Uint8Array>;
      return records.applyAsync(recordsToBatches({ payload: examplePayload, payloadOptions, schema }));
    });
    expect(elements.map(({ element }) => idsOf(element))).toEqual([[3]]);
    expect(counters).toEqual({ num_skipped_records: 1 });
  });

  test("fails for a record that does not match the schema, and reports its index", async () => {
    await expect(
      runWindowed(async (root) =>
        recordsIn(root, 3).applyAsync(
          recordsToBatches({
            payload: examplePayload,
            schema: defineSchema({ features: { id: float() } }),
          }),
        ),
      ),
    ).rejects.toMatchObject({ code: "schema-mismatch", recordIndex: 0 });
  });

  test("decodes with a decoder whose description names its module", async () => {
    const file = path.join(folder, "decoder.mjs");
    await writeFile(
      file,
      `export const lengths = {
        id: "lengths",
        createDecoder: async ({ batch }) => ({
          decode: (records) => ({ batch: globalThis[batch](records), numSkipped: 0 }),
        }),
      };`,
    );
    const { recordBatchOf } = await import("@tfxio/arrow-encoding");
    const { Field, Int32, makeData, Schema } = await import("apache-arrow");
    const ofLengths = (records: readonly Uint8Array[]): RecordBatch =>
      recordBatchOf(new Schema([new Field("length", new Int32())]), records.length, [
        makeData({ type: new Int32(), data: Int32Array.from(records, ({ length }) => length) }),
      ]);
    Object.assign(globalThis, { testLengths: ofLengths });
    const module = pathToFileURL(file).href;
    const { elements } = await runWindowed(async (root) =>
      recordsIn(root, 2).applyAsync(
        recordsToBatches({
          describe: async () => ({ module, id: "lengths", config: { batch: "testLengths" } }),
        }),
      ),
    );
    const { length } = encodeOne(0);
    expect(elements.map(({ element }) => plainRows(element as RecordBatch))).toEqual([
      [{ length }, { length }],
    ]);
  });

  test("decodes with a struct2tensor query that yields zero, one or two rows per record", async () => {
    const proto = `syntax = "proto2"; package shop;
      message Item { optional string sku = 1; }
      message Order { optional int64 id = 1; repeated Item item = 2; }`;
    const orders = protoPlaceholder(await parseProto(proto, "shop.Order"), { messageFormat: "json" });
    const items = orders.broadcast("id", "item", "id").reroot("item").protoIndex("record");
    const view = await createDataView(items, {
      outputs: {
        id: { path: "id", view: "ragged" },
        record: { path: "record", view: "ragged" },
      },
      recordIndex: "record",
    });
    // The order with this id has `id % 3` items.
    const order = (id: number): string =>
      JSON.stringify({ id: String(id), item: Array.from({ length: id % 3 }, () => ({ sku: "s" })) });
    const { elements, distributions } = await runWindowed(async (root) => {
      const records = root
        .apply(sdk.transforms.create([0, 1, 2, 3, 4, 5].map((id) => [...Buffer.from(order(id))])))
        .map(recordOf)
        .apply(sdk.internal.withCoderInternal(new sdk.requiredCoders.BytesCoder()));
      return (records as PCollection<Uint8Array>).applyAsync(recordsToBatches(createRecordDecoder(view)));
    });
    expect(elements.flatMap(({ element }) => idsOf(element))).toEqual([1, 2, 2, 4, 5, 5]);
    expect(distributions).toMatchObject({ num_rows: { count: 1, sum: 6 } });
  });

  test("rejects invalid arguments, and payloads and decoders that workers cannot create", async () => {
    expect(() => recordsToBatches(undefined as never)).toThrow("invalid-argument");
    expect(() => recordsToBatches({ payload: rawPayload }, { batchSize: 0 })).toThrow("invalid-argument");
    const apply = (decoding: Parameters<typeof recordsToBatches>[0]): Promise<unknown> =>
      runWindowed(async (root) => recordsIn(root, 1).applyAsync(recordsToBatches(decoding)));
    const own = { ...examplePayload };
    await expect(apply({ payload: own })).rejects.toMatchObject({
      code: "unsupported",
      reason: "worker-format",
    });
    const absent = { module: pathToFileURL(path.join(folder, "absent.mjs")).href, id: "own" };
    await expect(apply({ payload: absent })).rejects.toMatchObject({ reason: "worker-format" });
    const described = { ...absent, config: null };
    await expect(apply({ describe: async () => described })).rejects.toMatchObject({
      reason: "worker-format",
    });
  });
});
