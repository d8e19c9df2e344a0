import * as tf from "@tensorflow/tfjs-core";
import "@tensorflow/tfjs-backend-cpu";
import * as layers from "@tensorflow/tfjs-layers";
import { beforeAll, describe, expect, test } from "@jest/globals";
import type { HostDense, RaggedTensor, SparseTensor } from "@tfxio/tensor-adapter";
import { parseSchemaText } from "@tfxio/schema";
import { type DatasetOptions, openTfxio } from "../src/index.js";
import { collect, examples, range, SCHEMA, tfRecordFile, threeFiles } from "./fixtures.js";

const open = () => openTfxio(threeFiles(), { schema: SCHEMA });
const idsIn = (values: unknown): number[] => Array.from(values as BigInt64Array, Number);

beforeAll(async () => {
  await tf.setBackend("cpu");
});

describe("dataset without TensorFlow.js", () => {
  test("yields every row once, in batches of host columns keyed by tensor name", async () => {
    const elements = await (await open()).dataset({ batchSize: 8 }).toArray();
    const batches = elements as Record<string, HostDense>[];
    expect(batches.map((batch) => Object.keys(batch))).toEqual(batches.map(() => ["id", "x", "tags", "y"]));
    expect(batches.map((batch) => batch["x"]?.shape)).toEqual([
      [8, 2],
      [8, 2],
      [8, 2],
      [6, 2],
    ]);
    const ids = batches.flatMap((batch) => idsIn(batch["id"]?.values));
    expect(ids).not.toEqual(range(0, 30));
    expect(ids.sort((a, b) => a - b)).toEqual(range(0, 30));
  });

  test("keeps the order of the rows with `shuffle: false`, and drops a smaller last batch on request", async () => {
    const tfxio = await open();
    const options = { batchSize: 8, shuffle: false, dropFinalBatch: true, numEpochs: 2 };
    const batches = (await tfxio.dataset(options).toArray()) as Record<string, HostDense>[];
    const ids = batches.flatMap((batch) => idsIn(batch["id"]?.values));
    expect(ids).toEqual([...range(0, 30), ...range(0, 26)]);
  });

  test("shuffles each pass differently, but repeatably for the same seed", async () => {
    const read = async (): Promise<number[][]> => {
      const dataset = (await open()).dataset({ batchSize: 30, shuffleSeed: 3 });
      const passes = [await dataset.toArray(), await dataset.toArray()] as Record<string, HostDense>[][];
      return passes.map(([batch]) => idsIn(batch?.["id"]?.values));
    };
    const [first, second] = await read();
    expect(second).not.toEqual(first);
    expect(await read()).toEqual([first, second]);
  });

  test("has a known cardinality after a full pass has counted the rows", async () => {
    const tfxio = await openTfxio(threeFiles(), { schema: SCHEMA });
    const [dataset, pairs] = [tfxio.dataset({ batchSize: 4 }), tfxio.dataset({ batchSize: 4 }).take(5)];
    for await (const _ of dataset) break;
    await pairs.toArray();
    expect([dataset.size, dataset.cardinality()]).toEqual([null, "unknown"]);
    expect(await dataset.toArray()).toHaveLength(8);
    expect([dataset.size, dataset.cardinality(), pairs.size]).toEqual([8, 8, 5]);
    expect(tfxio.project(["y"]).dataset({ batchSize: 10, numEpochs: 2 }).size).toBe(6);
    expect(tfxio.dataset({ batchSize: 7, dropFinalBatch: true }).size).toBe(4);
    const { train } = tfxio.split({ validation: 0.5 });
    expect(train.dataset().size).toBeNull();
    const filtered = await openTfxio(threeFiles(), { schema: SCHEMA, filter: "id < 6" });
    expect(await collect(filtered.recordBatches())).not.toHaveLength(0);
    expect(filtered.dataset({ batchSize: 1 }).size).toBe(6);
  });

  test("has an unknown cardinality if passes may differ, and after a pass that failed", async () => {
    const file = threeFiles()[0]!;
    const fromFunction = await openTfxio(() => new Blob([file]).stream(), { schema: SCHEMA });
    expect(await collect(fromFunction.recordBatches())).toHaveLength(1);
    expect(fromFunction.dataset().size).toBeNull();
    const cut = await openTfxio(file.subarray(0, -1), { schema: SCHEMA });
    await expect(collect(cut.recordBatches())).rejects.toMatchObject({ code: "truncated-record" });
    expect(cut.dataset().size).toBeNull();
  });

  test("has an unknown cardinality before the first pass, or an infinite one if numEpochs is infinite", async () => {
    const tfxio = await open();
    expect(tfxio.dataset().size).toBeNull();
    expect(tfxio.dataset({ numEpochs: Number.POSITIVE_INFINITY }).size).toBe(Number.POSITIVE_INFINITY);
  });
});

describe("dataset with TensorFlow.js", () => {
  /** Defines a test that must not leak tensors. */
  const leakFree = (title: string, run: () => Promise<void>): void => {
    test(title, async () => {
      const { numTensors } = tf.memory();
      await run();
      expect(tf.memory().numTensors).toBe(numTensors);
    });
  };

  leakFree("yields dense, sparse and ragged tensors, and leaks none", async () => {
    const schema = parseSchemaText(`
      feature { name: "x" type: FLOAT presence { min_fraction: 1 } shape { dim { size: 2 } } }
      feature { name: "tags" type: BYTES }
      feature { name: "y" type: INT }
      tensor_representation_group {
        key: ""
        value { tensor_representation { key: "ragged" value { ragged_tensor { feature_path { step: "y" } } } } }
      }`);
    const tfxio = await openTfxio(tfRecordFile(examples(0, 4)), { schema });
    for await (const element of tfxio.dataset({ batchSize: 4, shuffle: false, tf })) {
      const { x, tags, ragged } = element as unknown as {
        x: tf.Tensor;
        tags: SparseTensor;
        ragged: RaggedTensor;
      };
      expect(x.arraySync()).toEqual([
        [0, -0],
        [1, -1],
        [2, -2],
        [3, -3],
      ]);
      expect(tags.indices.arraySync()).toEqual([
        [1, 0],
        [2, 0],
        [2, 1],
      ]);
      expect(tags.values.arraySync()).toEqual(["t0", "t0", "t1"]);
      expect(ragged.values.arraySync()).toEqual([0, 1, 0, 1]);
      tf.dispose(x);
      tags.dispose();
      ragged.dispose();
    }
  });

  leakFree(
    "rejects integers that the tensor's dtype cannot hold, and names the option to set; float32-lossy rounds them",
    async () => {
      const schema = parseSchemaText(
        'feature { name: "id" type: INT presence { min_fraction: 1 } shape {} }',
      );
      const { encodeExample } = await import("@tfxio/arrow-encoding");
      const records = [1n, 2n ** 40n, 2n ** 40n + 1n].map((id) =>
        encodeExample({ id: { kind: "int64", values: [id] } }),
      );
      const tfxio = await openTfxio(tfRecordFile(records), { schema });
      const options = { shuffle: false, tf };
      const unlabelled = tfxio.dataset(options).toArray();
      await expect(unlabelled).rejects.toMatchObject({ code: "out-of-range", row: 1 });
      await expect(unlabelled).rejects.toThrow(
        'pass int64: { "id": "float32" }, or leave the tensor out with project',
      );
      const labelled = tfxio.dataset({ ...options, labelKey: "id" }).toArray();
      await expect(labelled).rejects.toMatchObject({ code: "out-of-range", tensorName: "id", row: 2 });
      await expect(labelled).rejects.toThrow('pass int64: { "id": "float32-lossy" }');
      const [exact] = (await tfxio.dataset({ ...options, int64: { id: "float32-lossy" } }).toArray()) as {
        id: tf.Tensor;
      }[];
      expect(exact?.id.arraySync()).toEqual([1, 2 ** 40, 2 ** 40]);
      tf.dispose(exact?.id);
    },
  );

  leakFree("trains a model through fitDataset with the labels that labelKey selects", async () => {
    const tfxio = (await open()).project(["x", "y"]);
    const dataset = tfxio.dataset({ batchSize: 10, labelKey: "y", tf, int64: { y: "float32" } });
    const model = layers.sequential({
      layers: [layers.layers.dense({ units: 1, inputShape: [2], activation: "sigmoid" })],
    });
    const byName = dataset.map((element) => {
      const { xs, ys } = element as unknown as { xs: { x: tf.Tensor }; ys: tf.Tensor };
      return { xs: xs.x, ys };
    });
    const optimizer = tf.train.sgd(0.01);
    model.compile({ optimizer, loss: "binaryCrossentropy" });
    const { history } = await model.fitDataset(byName, { epochs: 3, verbose: 0 });
    expect(history["loss"]).toHaveLength(3);
    for (const loss of history["loss"] as number[]) expect(Number.isFinite(loss)).toBe(true);
    model.dispose();
    optimizer.dispose();
  });

  test("fails to train on a feature that may be missing, and the error names the feature and the remedy", async () => {
    const schema = parseSchemaText(
      `feature { name: "y" type: FLOAT presence { min_fraction: 1 } shape {} }
       feature { name: "age" type: FLOAT }`,
    );
    const { encodeExample } = await import("@tfxio/arrow-encoding");
    const float = (value: number) => ({ kind: "float", values: [value] }) as const;
    const records = [encodeExample({ y: float(1), age: float(30) }), encodeExample({ y: float(0) })];
    const dataset = (await openTfxio(tfRecordFile(records), { schema })).dataset({ labelKey: "y", tf });
    const age = layers.input({ shape: [1], name: "age" });
    const outputs = layers.layers.dense({ units: 1 }).apply(age) as layers.SymbolicTensor;
    const model = layers.model({ inputs: age, outputs });
    model.compile({ optimizer: tf.train.sgd(0.01), loss: "meanSquaredError" });
    const training = model.fitDataset(dataset, { epochs: 1, verbose: 0 });
    await expect(training).rejects.toMatchObject({ code: "unsupported", reason: "sparse-layer-input" });
    await expect(training).rejects.toThrow(/give feature "age" a shape and a default value in the schema/);
  });

  const classifier = async (loss: string, options: DatasetOptions): Promise<void> => {
    const tfxio = (await open()).project(["x", "y"]);
    const model = layers.sequential({
      layers: [layers.layers.dense({ units: 2, inputShape: [2], activation: "softmax" })],
    });
    const byName = tfxio.dataset({ batchSize: 10, labelKey: "y", tf, ...options }).map((element) => {
      const { xs, ys } = element as unknown as { xs: { x: tf.Tensor }; ys: tf.Tensor };
      return { xs: xs.x, ys };
    });
    const optimizer = tf.train.sgd(0.01);
    model.compile({ optimizer, loss, metrics: ["accuracy"] });
    const { history } = await model.fitDataset(byName, { epochs: 2, verbose: 0 });
    for (const value of history["loss"] as number[]) expect(Number.isFinite(value)).toBe(true);
    model.dispose();
    optimizer.dispose();
  };

  leakFree("trains with int64 labels and the sparse categorical loss, without further options", () =>
    classifier("sparseCategoricalCrossentropy", {}),
  );

  leakFree("trains with oneHot labels and the categorical loss", () =>
    classifier("categoricalCrossentropy", { oneHot: 2 }),
  );

  test("encodes labels for oneHot even without the option tf, and rejects a label that is not a class", async () => {
    const tfxio = await open();
    const options = { batchSize: 4, labelKey: "y", shuffle: false };
    const [first] = (await tfxio
      .dataset({ ...options, oneHot: 3 })
      .take(1)
      .toArray()) as { ys: HostDense }[];
    const values = Float32Array.of(1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0);
    expect(first?.ys).toMatchObject({ dtype: "float32", shape: [4, 3], values });
    const outside = tfxio.dataset({ ...options, oneHot: 1 }).toArray();
    await expect(outside).rejects.toMatchObject({
      code: "out-of-range",
      reason: "label-class",
      tensorName: "y",
    });
    await expect(outside).rejects.toThrow("expected an integer of at least 0 and below 1, found 1");
    await expect(tfxio.dataset({ ...options, oneHot: 2 ** 31 }).toArray()).rejects.toMatchObject({
      code: "out-of-range",
      reason: "batch-too-large",
    });
    await expect(tfxio.dataset({ ...options, labelKey: "x", oneHot: 3 }).toArray()).rejects.toMatchObject({
      code: "shape-mismatch",
      reason: "label-shape",
    });
  });

  leakFree("frees the prefetched batches when a pass is left early", async () => {
    const tfxio = await open();
    for await (const element of tfxio
      .dataset({ batchSize: 2, tf, prefetchBufferSize: 4 })
      .map(({ ...rest }) => rest)) {
      for (const tensor of Object.values(element)) (tensor as { dispose(): void }).dispose();
      break;
    }
  });
});

describe("dataset with invalid options", () => {
  test.each([
    [{ labelKey: "z" }, "labelKey"],
    [{ labelKey: "tags" }, "labelKey"],
    [{ oneHot: 2 }, "oneHot"],
    [{ labelKey: "y", oneHot: 0 }, "oneHot"],
    [{ labelKey: "y", tf, int64: null as never }, "int64"],
    [{ labelKey: "y", tf, int64: { y: "x" } as never }, "int64"],
    [{ labelKey: "y", float64: "host" as const }, "float64"],
    [{ batchSize: 0 }, "batchSize"],
    [{ prefetchBufferSize: 0 }, "prefetchBufferSize"],
    [{ int64: "host" as const }, "int64"],
    [{ tf, int64: { z: "host" as const } }, "int64"],
    [{ tf, labelKey: "y", oneHot: 2, int64: { y: "int32" as const } }, "int64"],
    [{ tf, labelKey: "y", oneHot: 2, float64: { y: "float32" as const } }, "float64"],
    [{ signal: new AbortController().signal }, "signal"],
  ])("rejects %p as soon as dataset is called, and names the argument %s", async (options, argument) => {
    const tfxio = await open();
    expect(() => tfxio.dataset(options as DatasetOptions)).toThrow(
      expect.objectContaining({ code: "invalid-argument", argument }),
    );
  });

  test.each([
    ["id, x, tags, y", SCHEMA],
    ["none", parseSchemaText("")],
  ])("lists the tensors in the error for an unknown tensor: %s", async (names, schema) => {
    const tfxio = await openTfxio(threeFiles(), { schema });
    expect(() => tfxio.dataset({ labelKey: "z" })).toThrow(
      `labelKey names "z", an unknown tensor; the TFXIO has ${names}.`,
    );
    expect(() => tfxio.dataset({ tf, int64: { z: "host" } })).toThrow(
      `int64 has a policy for "z", an unknown tensor; the TFXIO has ${names}.`,
    );
  });
});
