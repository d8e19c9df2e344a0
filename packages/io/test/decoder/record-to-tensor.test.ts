import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import * as tf from "@tensorflow/tfjs-core";
import "@tensorflow/tfjs-backend-cpu";
import { parseProto } from "@tfxio/formats-protobuf";
import {
  describeRead,
  openRead,
  type ReadDescription,
  recordToTensorTfxio,
  type RecordDecoder,
  type RecordToTensorOptions,
  type Tfxio,
} from "@tfxio/io";
import {
  createDataView,
  createRecordDecoder,
  decodeDataView,
  encodeDataView,
  protoPlaceholder,
} from "@tfxio/struct2tensor";
import { encodeTfRecords } from "@tfxio/wire";
import { collect } from "../fixtures.js";
import { runProgram } from "../node-program.js";
import { describeBuilt } from "../worker-formats/index.js";

const proto = `syntax = "proto2"; package shop;
  message Item { optional string sku = 1; repeated int64 n = 2; }
  message Order { optional int64 id = 1; repeated Item item = 2; }`;

const texts = [
  '{"id":"1","item":[{"sku":"a","n":["1","2"]},{"sku":"b"}]}',
  '{"id":"2"}',
  '{"id":"3","item":[{"sku":"c","n":["3"]}]}',
];
const fileOf = async (lines: readonly string[]): Promise<Uint8Array> =>
  encodeTfRecords(lines.map((line) => new TextEncoder().encode(line)));

const orders = protoPlaceholder(await parseProto(proto, "shop.Order"), { messageFormat: "json" });

const folder = mkdtempSync(path.join(tmpdir(), "record-to-tensor-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Creates a decoder from a saved view, with one row per order. */
async function orderDecoder(): Promise<RecordDecoder> {
  const view = await createDataView(orders, {
    outputs: {
      id: { path: "id", view: "dense", defaultValue: 0n },
      sku: { path: "item.sku", view: "ragged" },
      n: { path: "item.n", view: "sparse" },
    },
  });
  return createRecordDecoder(await decodeDataView(await encodeDataView(view)));
}

/** Creates a decoder with one row per item. */
async function itemDecoder(): Promise<RecordDecoder> {
  const view = await createDataView(
    orders.broadcast("id", "item", "id").reroot("item").protoIndex("record"),
    {
      outputs: {
        sku: { path: "sku", view: "ragged" },
        id: { path: "id", view: "dense" },
        record: { path: "record", view: "ragged" },
      },
      recordIndex: "record",
    },
  );
  return createRecordDecoder(view);
}

async function open(
  decoder: RecordDecoder,
  options: Omit<RecordToTensorOptions, "sources" | "decoder"> = {},
): Promise<Tfxio> {
  const sources = [await fileOf(texts.slice(0, 2)), await fileOf(texts.slice(2))];
  return recordToTensorTfxio({ sources, decoder, ...options });
}

const rowsOf = (tfxio: Tfxio): Promise<unknown[]> => collect(tfxio.rows());

describe("a TFXIO created by recordToTensorTfxio", () => {
  test("has the columns and representations of the decoder, and a raw record column on request", async () => {
    const decoder = await orderDecoder();
    const tfxio = await open(decoder, { rawRecordColumn: "raw" });
    const names = tfxio.arrowSchema().fields.map(({ name }) => name);
    expect(names).toEqual([...decoder.arrowSchema.fields.map(({ name }) => name), "raw"]);
    expect([...tfxio.tensorRepresentations()]).toEqual([...decoder.tensorRepresentations]);
    expect([...tfxio.tensorAdapter().typeSpecs()].map(([name, spec]) => [name, spec.kind])).toEqual([
      ["id", "tensor"],
      ["n", "sparse"],
      ["sku", "ragged"],
    ]);
  });

  test("yields batches that convert to the same tensors as the batches of the decoder", async () => {
    const decoder = await orderDecoder();
    const tfxio = await recordToTensorTfxio({ sources: await fileOf(texts), decoder });
    const [batch, ...others] = await collect(tfxio.recordBatches());
    expect(others).toEqual([]);
    const records = texts.map((text) => new TextEncoder().encode(text));
    const { batch: decoded } = decoder.decode(records);
    expect(tfxio.tensorAdapter().toHost(batch!)).toEqual(tfxio.tensorAdapter().toHost(decoded));
    expect([...(tfxio.tensorAdapter().toHost(batch!)["id"]!.values as BigInt64Array)]).toEqual([1n, 2n, 3n]);
  });

  test("gives each row its source record if one record becomes several rows", async () => {
    const tfxio = await open(await itemDecoder(), { rawRecordColumn: "raw" });
    expect(await rowsOf(tfxio)).toMatchObject([
      { id: [1], sku: ["a"], raw: [texts[0]] },
      { id: [1], sku: ["b"], raw: [texts[0]] },
      { id: [3], sku: ["c"], raw: [texts[2]] },
    ]);
  });

  test("decodes the requested number of records at a time, and yields batches of the requested size", async () => {
    const tfxio = await open(await itemDecoder(), { recordsPerBatch: 1 });
    const sizes = async (batchSize?: number): Promise<number[]> =>
      (await collect(tfxio.recordBatches({ batchSize }))).map(({ numRows }) => numRows);
    expect(await sizes()).toEqual([2, 1]);
    expect(await sizes(2)).toEqual([2, 1]);
    expect(await sizes(3)).toEqual([3]);
    expect(await sizes(1)).toEqual([1, 1, 1]);
  });

  test("pushes projections down to the decoder, and keeps raw records with their rows", async () => {
    const asked: (readonly string[])[] = [];
    const watched = (decoder: RecordDecoder): RecordDecoder => ({
      ...decoder,
      project: (names) => {
        asked.push(names);
        return decoder.project(names);
      },
    });
    const tfxio = await open(watched(await itemDecoder()), { rawRecordColumn: "raw" });
    const projected = tfxio.project(["sku"]);
    expect(await rowsOf(projected)).toEqual([
      { sku: ["a"], raw: [texts[0]] },
      { sku: ["b"], raw: [texts[0]] },
      { sku: ["c"], raw: [texts[2]] },
    ]);
    expect(asked).toContainEqual(["sku"]);
    expect([...projected.tensorRepresentations().keys()]).toEqual(["sku"]);
    expect(projected.arrowSchema().fields.map(({ name }) => name)).toEqual(["sku", "raw"]);
  });

  test("creates datasets with a label, and rejects an unknown label", async () => {
    const tfxio = (await open(await itemDecoder())).project(["id", "sku"]);
    const dataset = tfxio.dataset({ labelKey: "id", batchSize: 3, shuffle: false });
    const [element] = await dataset.toArray();
    expect(element).toMatchObject({ xs: { sku: { kind: "ragged" } }, ys: { kind: "dense" } });
    expect(() => tfxio.dataset({ labelKey: "nope" })).toThrow(
      expect.objectContaining({ reason: "unknown-tensor" }),
    );
  });

  test("creates datasets of TensorFlow.js tensors", async () => {
    await tf.setBackend("cpu");
    const tfxio = (await open(await itemDecoder())).project(["id"]);
    const [element] = await tfxio.dataset({ tf, batchSize: 3, shuffle: false }).toArray();
    const { id } = element as { readonly id: tf.Tensor };
    expect([...(await id.data())]).toEqual([1, 1, 3]);
    id.dispose();
  });

  test("filters and counts rows, and reads raw records alone", async () => {
    const tfxio = await open(await itemDecoder(), { filter: "id == 3" });
    expect(await rowsOf(tfxio)).toMatchObject([{ sku: ["c"] }]);
    const all = await open(await orderDecoder());
    expect(await all.countRows()).toBe(3);
    const raw = await collect(all.rawRecords({ columnName: "r" }));
    expect(raw.map(({ numRows }) => numRows)).toEqual([2, 1]);
  });

  test("names the file and index of a malformed record, and rejects a raw record column whose name is taken", async () => {
    const tfxio = await recordToTensorTfxio({
      sources: await fileOf([...texts, "{"]),
      decoder: await orderDecoder(),
      recordsPerBatch: 2,
    });
    await expect(collect(tfxio.recordBatches())).rejects.toMatchObject({
      code: "malformed-payload",
      reason: "proto-json",
      recordIndex: 3,
      uri: expect.stringContaining("bytes"),
    });
    await expect(open(await orderDecoder(), { rawRecordColumn: "id" })).rejects.toMatchObject({
      reason: "duplicate-column",
    });
    await expect(recordToTensorTfxio({ sources: "x", decoder: {} as never })).rejects.toMatchObject({
      code: "invalid-argument",
    });
  });

  test("has one split per file, and resumes within a split", async () => {
    const tfxio = await open(await itemDecoder(), { recordsPerBatch: 1 });
    const plan = await tfxio.plan();
    expect(plan.splits.map(({ index, numRows }) => [index, numRows])).toEqual([
      [0, undefined],
      [1, undefined],
    ]);
    const skusFrom = async (split: number, row: number): Promise<unknown[]> => {
      const batches = await collect(plan.read(plan.splits[split]!, { from: { row } }));
      const lists = batches.flatMap((batch) => [...(batch.getChild("sku") ?? [])]) as Iterable<Uint8Array>[];
      return lists.map((list) => Array.from(list, (sku) => new TextDecoder().decode(sku)));
    };
    expect(await skusFrom(0, 0)).toEqual([["a"], ["b"]]);
    expect(await skusFrom(0, 1)).toEqual([["b"]]);
    expect(await skusFrom(1, 0)).toEqual([["c"]]);
    expect(await skusFrom(1, 1)).toEqual([]);
  });
});

describe("a read through a saved query", () => {
  /** Writes many orders, so that the file can be split. */
  async function ordersFile(): Promise<string> {
    const file = path.join(folder, "orders.tfrecord");
    const lines = Array.from({ length: 5000 }, (_, id) => `{"id":"${id}","item":[{"sku":"s${id}"}]}`);
    writeFileSync(file, await fileOf(lines));
    return file;
  }
  const throughJson = (tfxio: Tfxio): ReadDescription =>
    JSON.parse(JSON.stringify(describeRead(tfxio))) as ReadDescription;
  const idsOf = async (tfxio: Tfxio): Promise<unknown[]> =>
    (await collect(tfxio.project(["id"]).rows())).map((row) => (row as { id: unknown[] }).id[0]);
  const allIds = Array.from({ length: 5000 }, (_, id) => id);

  test("has the same rows, representations and projections when opened from its description", async () => {
    const tfxio = await recordToTensorTfxio({
      sources: await ordersFile(),
      decoder: await orderDecoder(),
      filter: "id >= 4998",
      rawRecordColumn: "raw",
    });
    const again = await openRead(throughJson(tfxio));
    expect(await rowsOf(again)).toEqual(await rowsOf(tfxio));
    expect([...again.tensorRepresentations()]).toEqual([...tfxio.tensorRepresentations()]);
    const projected = await openRead(throughJson(tfxio.project(["sku"])));
    expect(await rowsOf(projected)).toMatchObject([{ sku: [["s4998"]] }, { sku: [["s4999"]] }]);
    expect(projected.arrowSchema().names).toEqual(["sku", "raw"]);
  });

  test("splits a file between records when opened from its description, and reports which part has a malformed record", async () => {
    const file = await ordersFile();
    const tfxio = await recordToTensorTfxio({ sources: file, decoder: await orderDecoder() });
    const described = throughJson(tfxio);
    const cut = { ...described, request: { ...described.request, splitBytes: 30_000 } };
    const plan = await (await openRead(cut)).plan();
    const parts = await plan.subdivide!(plan.splits[0]!);
    expect(parts.length).toBeGreaterThan(5);
    const batches = await Promise.all(parts.map((part) => collect(plan.read(part))));
    const adapter = tfxio.tensorAdapter();
    const ids = batches
      .flat()
      .flatMap((batch) => Array.from(adapter.toHost(batch)["id"]!.values as BigInt64Array));
    expect(ids.map(Number)).toEqual(allIds);
    writeFileSync(file, await fileOf([...Array.from({ length: 5000 }, () => texts[1]!), "{"]));
    const broken = await recordToTensorTfxio({ sources: file, decoder: await orderDecoder() });
    const brokenPlan = await (
      await openRead({
        ...throughJson(broken),
        request: { ...throughJson(broken).request, splitBytes: 30_000 },
      })
    ).plan();
    const last = (await brokenPlan.subdivide!(brokenPlan.splits[0]!)).at(-1)!;
    const failure = await collect(brokenPlan.read(last)).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "malformed-payload", uri: file, recordIndex: undefined });
    expect((failure as Error).message).toContain(`of the part at byte ${last.start}`);
  });

  test("cannot be described if the query calls a function, or if the decoder cannot describe itself", async () => {
    const silent: RecordDecoder = { ...(await orderDecoder()), describe: undefined };
    const sources = await ordersFile();
    const unsupported = { code: "unsupported", reason: "worker-format" };
    const tfxio = await recordToTensorTfxio({ sources, decoder: silent });
    expect(() => describeRead(tfxio)).toThrow(expect.objectContaining(unsupported));
    const twice = orders.mapFieldValues("id", (values) => values, { as: "same", dtype: "int64" });
    const view = await createDataView(twice, { outputs: { same: { path: "same", view: "ragged" } } });
    const calling = await recordToTensorTfxio({ sources, decoder: createRecordDecoder(view) });
    expect(() => describeRead(calling)).toThrow(
      expect.objectContaining({
        ...unsupported,
        cause: expect.objectContaining({ reason: "not-serializable" }),
      }),
    );
    expect(await collect(calling.rows())).toHaveLength(5000);
  });

  test("cannot be opened from its description if the module does not export the decoder", async () => {
    const tfxio = await recordToTensorTfxio({ sources: await ordersFile(), decoder: await orderDecoder() });
    const { format, ...rest } = throughJson(tfxio);
    const decoder = { ...(format.options as { decoder: object }).decoder, id: "other" };
    await expect(
      openRead({
        ...rest,
        format: { ...format, options: { ...(format.options as object), decoder } },
      }),
    ).rejects.toMatchObject({ code: "unsupported", reason: "worker-format" });
  });

  describeBuilt("with the built packages", () => {
    test("yields all ids from a worker thread", async () => {
      const file = await ordersFile();
      const ids = runProgram(
        `import { describeRead, openRead, recordToTensorTfxio } from "@tfxio/io";
        import { parseProto } from "@tfxio/formats-protobuf";
        import { createDataView, createRecordDecoder, protoPlaceholder } from "@tfxio/struct2tensor";
        const orders = protoPlaceholder(await parseProto(${JSON.stringify(proto)}, "shop.Order"), { messageFormat: "json" });
        const view = await createDataView(orders, { outputs: { id: { path: "id", view: "dense", defaultValue: 0n } } });
        const decoder = createRecordDecoder(view);
        const tfxio = await recordToTensorTfxio({ sources: ${JSON.stringify(file)}, decoder });
        const again = await openRead(JSON.parse(JSON.stringify(describeRead(tfxio))));
        const ids = [];
        for await (const { id } of again.rows({ workers: 1 })) ids.push(id[0]);
        await again.close();
        console.log(JSON.stringify(ids));`,
      );
      expect(ids).toEqual(allIds);
    });

    test("runs a model in a worker thread; the thread imports the model's runtime from a module URL", async () => {
      const file = await ordersFile();
      const scores = runProgram(
        `import { recordToTensorTfxio } from "@tfxio/io";
        import { parseProto } from "@tfxio/formats-protobuf";
        import * as layers from "@tensorflow/tfjs-layers";
        import { createDataView, createQueryModel, createRecordDecoder, protoPlaceholder, valueFunctions } from "@tfxio/struct2tensor";
        import { models } from "./test/decoder/layers-runtime.mjs";
        const runtime = await models();
        const { tf } = runtime;
        const model = layers.sequential({ layers: [layers.layers.dense({ units: 1, inputShape: [1], name: "twice" })] });
        model.setWeights([tf.tensor2d([2], [1, 1]), tf.tensor1d([0.5])]);
        let artifacts;
        await model.save({ save: async (saved) => {
          artifacts = saved;
          return { modelArtifactsInfo: { dateSaved: new Date(0), modelTopologyType: "JSON" } };
        } });
        const called = await createQueryModel(artifacts, runtime);
        const [input] = called.inputNames;
        const [output] = called.outputNames;
        const orders = protoPlaceholder(await parseProto(${JSON.stringify(proto)}, "shop.Order"), { messageFormat: "json" })
          .mapFieldValues("id", valueFunctions.cast("float32"), { as: "number" })
          .callModel("", called, {
            inputs: { [input]: { field: "number", padding: 0 } },
            outputs: { [output]: { as: "score", dtype: "float32" } },
          });
        const view = await createDataView(orders, { outputs: { score: { path: "score", view: "dense" } } });
        const tfxio = await recordToTensorTfxio({ sources: ${JSON.stringify(file)}, decoder: createRecordDecoder(view) });
        const scores = [];
        for await (const { score } of tfxio.rows({ workers: 1 })) scores.push(score[0]);
        console.log(JSON.stringify(scores));`,
      );
      expect(scores).toEqual(allIds.map((id) => 2 * id + 0.5));
    });
  });

  test("can be projected after it is opened from its description", async () => {
    const tfxio = await recordToTensorTfxio({ sources: await ordersFile(), decoder: await orderDecoder() });
    expect(await idsOf(await openRead(throughJson(tfxio)))).toEqual(allIds);
  });
});
