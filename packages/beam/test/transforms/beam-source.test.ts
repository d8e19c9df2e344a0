import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { createExampleDecoder, encodeExample, plainRows } from "@tfxio/arrow-encoding";
import { beamSource, directRunner, rawRecordBeamSource, writeBeam } from "@tfxio/beam";
import { readManifest } from "@tfxio/beam/plan";
import { parseProto } from "@tfxio/formats-protobuf";
import { openTfxio, recordToTensorTfxio, writeTfxio } from "@tfxio/io";
import { defineSchema, int } from "@tfxio/schema";
import { createDataView, createRecordDecoder, protoPlaceholder } from "@tfxio/struct2tensor";
import { writeTfRecords } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";
import type { PCollection, Root } from "apache-beam/pvalue";
import { installRepairs } from "../../src/compat/install-repairs.js";
import type { AsyncPTransform } from "apache-beam/transforms/transform";

let folder = "";
beforeAll(async () => {
  // loadSdk replaces a missing @google-cloud/pubsub with an empty module, but jest's module loader ignores that.
  jest.mock("@google-cloud/pubsub", () => ({}), { virtual: true });
  for (const method of ["log", "debug", "error"] as const)
    jest.spyOn(console, method).mockImplementation(() => {});
  folder = await mkdtemp(path.join(tmpdir(), "beam-source-"));
  const rows = Array.from({ length: 1000 }, (_, id) =>
    encodeExample({ id: { kind: "int64", values: [2 ** 40 + id] } }),
  );
  await writeTfRecords(rows, path.join(folder, "rows.tfrecord"), { numShards: 3 });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

// Pipelines refer to registered functions by name, and a name always means the function that was registered first. So
// `collect` and `collectTime` store their input in a global, where every run finds it.
const seen = globalThis as { beamSeen?: unknown[] };

/** Runs a source on the direct runner, and returns its elements and metrics. */
async function run<Element>(source: AsyncPTransform<Root, PCollection<Element>>): Promise<{
  readonly elements: readonly unknown[];
  readonly counters: Readonly<Record<string, number>>;
  readonly distributions: Readonly<Record<string, unknown>>;
}> {
  const require = createRequire(import.meta.url);
  const { requireForSerialization } = require("apache-beam/serialization") as Serialization;
  const elements: unknown[] = [];
  seen.beamSeen = elements;
  const collect = (element: unknown): null => {
    seen.beamSeen?.push(element);
    return null;
  };
  requireForSerialization("test", { collect });
  const result = await directRunner().run(async (root) => {
    const collection = await root.applyAsync(source);
    collection.map(collect);
  });
  return { elements, counters: await result.counters(), distributions: await result.distributions() };
}

type Serialization = typeof import("apache-beam/serialization");

const idsOf = (batches: readonly unknown[]): number[] =>
  (batches as RecordBatch[])
    .flatMap((batch) => plainRows(batch).map(({ id }) => Number((id as unknown[])[0])))
    .sort((a, b) => a - b);
const allIds = Array.from({ length: 1000 }, (_, id) => 2 ** 40 + id);

test("beamSource yields every row once, and counts rows and bytes under tfx_bsl's names", async () => {
  const tfxio = await openTfxio(path.join(folder, "*.tfrecord-*"), { inferSchema: "full" });
  const { elements, distributions } = await run(beamSource(tfxio, { unitBytes: 1 }));
  await tfxio.close();
  expect(idsOf(elements)).toEqual(allIds);
  expect(distributions).toEqual({
    num_rows: { count: 3, sum: 1000, min: 333, max: 334 },
    // Each batch has one column of one-element int64 lists: 4 bytes of offset and 8 of value per row, and one more offset.
    record_batch_byte_size: { count: 3, sum: 12_012, min: 4000, max: 4012 },
  });
});

test("beamSource gives its elements Beam's minimum timestamp", async () => {
  const tfxio = await openTfxio(path.join(folder, "*.tfrecord-*"), { inferSchema: "full" });
  const { timestampParam } = installRepairs().transforms;
  const timesOf = async (unitBytes: number): Promise<unknown[]> => {
    const times: unknown[] = [];
    seen.beamSeen = times;
    const collectTime = (_: unknown, { time }: { readonly time: { lookup(): unknown } }): null => {
      seen.beamSeen?.push(String(time.lookup()));
      return null;
    };
    installRepairs().registry.requireForSerialization("test", { collectTime });
    await directRunner().run(async (root) => {
      const batches = await root.applyAsync(beamSource(tfxio, { unitBytes }));
      batches.map(collectTime as never, { time: timestampParam() } as never);
    });
    return times;
  };
  // Beam's TIMESTAMP_MIN_VALUE, in milliseconds.
  const earliest = "-9223372036854775";
  expect(await timesOf(2 ** 30)).toEqual([earliest, earliest, earliest]);
  expect(await timesOf(1)).toEqual([earliest, earliest, earliest]);
  await tfxio.close();
});

test("rawRecordBeamSource yields the bytes of every record, and counts records and bytes", async () => {
  const tfxio = await openTfxio(path.join(folder, "*.tfrecord-*"));
  const { elements, counters, distributions } = await run(rawRecordBeamSource(tfxio));
  await tfxio.close();
  const decoder = createExampleDecoder({ schema: defineSchema({ features: { id: int() } }) });
  expect(idsOf([decoder.decode(elements as Uint8Array[])])).toEqual(allIds);
  expect(counters).toEqual({ num_raw_records: 1000 });
  const sizes = (elements as Uint8Array[]).map(({ length }) => length);
  const size = sizes[0] as number;
  expect(sizes).toEqual(sizes.map(() => size));
  expect(distributions).toEqual({
    raw_record_byte_size: { count: 1000, sum: 1000 * size, min: size, max: size },
  });
});

test("writeBeam writes every row once, and publishes the manifest of its shards", async () => {
  const tfxio = await openTfxio(path.join(folder, "*.tfrecord-*"), { inferSchema: "full" });
  const target = path.join(folder, "out.parquet");
  const { elements, counters } = await run(writeBeam(tfxio, target, { unitBytes: 1 }));
  await tfxio.close();
  const manifest = await readManifest(`${target}.manifest.json`);
  expect(elements).toEqual([JSON.stringify(manifest)]);
  expect(counters).toEqual({ num_written_rows: 1000, num_shards: 3 });
  const written = await openTfxio(
    manifest.shards.map(({ uri }) => uri),
    { inferSchema: "full" },
  );
  const batches: RecordBatch[] = [];
  for await (const batch of written.recordBatches()) batches.push(batch);
  await written.close();
  expect(idsOf(batches)).toEqual(allIds);
});

test("writeBeam publishes a manifest without shards if a filter excludes every part of the data", async () => {
  const rows = await openTfxio(path.join(folder, "*.tfrecord-*"), { inferSchema: "full" });
  const parquet = path.join(folder, "rows.parquet");
  await writeTfxio(rows, parquet);
  await rows.close();
  const tfxio = await openTfxio(parquet, { inferSchema: "full", filter: "id < 0" });
  const target = path.join(folder, "none.tfrecord");
  const { elements, counters } = await run(writeBeam(tfxio, target, { unitBytes: 1 }));
  await tfxio.close();
  const manifest = await readManifest(`${target}.manifest.json`);
  expect(manifest).toEqual({ version: 1, numRows: 0, shards: [] });
  expect(elements).toEqual([JSON.stringify(manifest)]);
  expect(counters).toEqual({});
});

test("beamSource splits a file and reads it with a saved query that yields one row per item of an order", async () => {
  const proto = `syntax = "proto2"; package shop;
    message Item { optional string sku = 1; }
    message Order { optional int64 id = 1; repeated Item item = 2; }`;
  const orders = protoPlaceholder(await parseProto(proto, "shop.Order"), { messageFormat: "json" });
  const items = orders.broadcast("id", "item", "id").reroot("item").protoIndex("record");
  const view = await createDataView(items, {
    outputs: {
      id: { path: "id", view: "dense", defaultValue: 0n },
      record: { path: "record", view: "ragged" },
    },
    recordIndex: "record",
  });
  // Each order has `id % 3` items.
  const texts = Array.from({ length: 3000 }, (_, id) =>
    JSON.stringify({ id: String(id), item: Array.from({ length: id % 3 }, () => ({ sku: "s" })) }),
  );
  const file = path.join(folder, "orders.tfrecord");
  await writeTfRecords(
    texts.map((text) => new TextEncoder().encode(text)),
    file,
  );
  const decoder = createRecordDecoder(view);
  const tfxio = (await recordToTensorTfxio({ sources: file, decoder })).project(["id"]);
  const { elements } = await run(beamSource(tfxio, { unitBytes: 20_000 }));
  await tfxio.close();
  expect(idsOf(elements)).toEqual(texts.flatMap((_, id) => Array.from({ length: id % 3 }, () => id)));
  expect(elements.length).toBeGreaterThan(3);
});

test("beamSource counts the malformed records that it skips", async () => {
  const damaged = [
    Uint8Array.of(0xff),
    encodeExample({ id: { kind: "int64", values: [1] } }),
    Uint8Array.of(0xff),
  ];
  const file = path.join(folder, "damaged");
  await writeTfRecords(damaged, file);
  const tfxio = await openTfxio(file, {
    format: "tfrecord",
    formatOptions: { onMalformed: "skip" },
    schema: defineSchema({ features: { id: int() } }),
  });
  const { counters, distributions } = await run(beamSource(tfxio));
  await tfxio.close();
  expect(counters).toEqual({ num_skipped_records: 2 });
  expect(distributions).toMatchObject({ num_rows: { sum: 1 } });
});

test("beamSource rejects bytes in memory, which workers cannot read", async () => {
  const tfxio = await openTfxio(new Uint8Array(0), { format: "tfrecord" });
  expect(() => beamSource(tfxio)).toThrow("unsupported");
  await tfxio.close();
});
