import { beforeAll, describe, expect, test } from "@jest/globals";
import * as tf from "@tensorflow/tfjs-core";
import "@tensorflow/tfjs-backend-cpu";
import * as tfData from "@tensorflow/tfjs-data";
import * as tfl from "@tensorflow/tfjs-layers";
import { type ColumnBlock, fromBlocks, fromItems } from "../src/index.js";
import { dense } from "./host-columns.js";
import { asTfDataset } from "../src/tfjs/index.js";

beforeAll(async () => {
  tf.env().set("IS_TEST", true); // Suppresses the advice to install tfjs-node.
  await tf.setBackend("cpu");
});

/** Yields eight rows in blocks of 3, 3 and 2. The label is 2 a - b + 1, and the model does not use the column `unused`. */
function* blocks(): Generator<ColumnBlock> {
  const a = [0, 1, 2, 3, 4, 5, 6, 7].map((value) => value / 8);
  const b = [3, 1, 4, 1, 5, 9, 2, 6].map((value) => value / 8);
  for (const [start, end] of [
    [0, 3],
    [3, 6],
    [6, 8],
  ]) {
    const rows = a.map((_, row) => row).slice(start, end);
    const vector = (values: readonly number[], ...inner: number[]) => ({
      kind: "dense" as const,
      dtype: "float32" as const,
      shape: [rows.length, ...inner],
      values: Float32Array.from(values),
      borrowed: false,
    });
    yield {
      numRows: rows.length,
      columns: {
        features: vector(
          rows.flatMap((row) => [a[row] ?? 0, b[row] ?? 0]),
          2,
        ),
        label: vector(rows.map((row) => 2 * (a[row] ?? 0) - (b[row] ?? 0) + 1)),
        unused: vector(rows),
      },
    };
  }
}

function trainingData() {
  return fromBlocks(blocks, { cardinality: 8 })
    .shuffle(5, { seed: 7 })
    .batch(3)
    .toXY({ xs: "features", ys: "label" })
    .withTensors({ tf })
    .prefetch(2);
}

function createModel(): tfl.Sequential {
  const model = tfl.sequential();
  model.add(
    tfl.layers.dense({
      units: 1,
      inputShape: [2],
      kernelInitializer: tfl.initializers.glorotNormal({ seed: 3 }),
    }),
  );
  model.compile({ optimizer: tf.train.sgd(0.1), loss: "meanSquaredError" });
  return model;
}

async function trained(
  fit: (model: tfl.Sequential) => Promise<tfl.History>,
): Promise<{ weights: number[]; losses: number[] }> {
  const model = createModel();
  const history = await fit(model);
  const weights = model.getWeights().flatMap((weight) => [...weight.dataSync()]);
  model.dispose();
  return { weights, losses: history.history["loss"] as number[] };
}

describe("fitDataset", () => {
  test("trains on a dataset and on its tfjs wrapper with equal results, and leaks no tensor of the dataset", async () => {
    // Each optimizer keeps one constant tensor.
    await trained((model) => model.fitDataset(trainingData(), { epochs: 1 }));
    const numTensors = tf.memory().numTensors;

    const bare = await trained((model) => model.fitDataset(trainingData(), { epochs: 20 }));
    const face = await trained((model) =>
      model.fitDataset(asTfDataset(trainingData(), tfData), { epochs: 20 }),
    );

    expect(bare.losses).toHaveLength(20);
    expect(bare.losses.at(-1)).toBeLessThan((bare.losses[0] as number) / 4);
    expect(face.weights).toEqual(bare.weights);
    expect(tf.memory().numTensors - numTensors).toBeLessThanOrEqual(2);
  });

  describe("leaves no more tensors with our dataset than with a tfjs-data dataset if training ends early", () => {
    const rows = Array.from({ length: 32 }, (_, row) => ({ xs: [row / 32, 1], ys: [row % 2] }));
    /** Returns a function that throws at its 40th call, in the second pass. */
    const failing = () => {
      let numCalls = 0;
      return <Row>(row: Row): Row => {
        if (++numCalls === 40) throw new Error("broken");
        return row;
      };
    };
    const unchanged = <Row>(row: Row): Row => row;
    const ours = (f: <Row>(row: Row) => Row) =>
      fromItems(rows).shuffle(8).map(f).batch(4).withTensors({ tf }).prefetch(3);
    const theirs = (f: <Row>(row: Row) => Row) => tfData.array(rows).map(f).batch(4);
    type Fitted = ReturnType<typeof ours> | ReturnType<typeof theirs>;
    type Make = (f: <Row>(row: Row) => Row) => Fitted;
    const stopping = (model: tfl.Sequential) => ({
      onBatchEnd: async (batch: number) => void (model.stopTraining = batch === 2),
    });
    const throwing = () => ({
      onBatchEnd: async (batch: number) => {
        if (batch === 2) throw new Error("callback");
      },
    });

    /** Returns how many tensors a fit leaves after its datasets are closed. */
    async function leftBy(fit: (model: tfl.Sequential) => Promise<readonly Fitted[]>): Promise<number> {
      const model = createModel();
      await model.fitDataset(ours(unchanged), { epochs: 1, verbose: 0 });
      const before = tf.memory().numTensors;
      for (const dataset of await fit(model)) if ("close" in dataset) await dataset.close();
      const after = tf.memory().numTensors;
      model.dispose();
      return after - before;
    }

    test.each<[string, (model: tfl.Sequential, make: Make) => [Fitted, object, Fitted?]]>([
      ["by stopTraining", (model, make) => [make(unchanged), { callbacks: stopping(model) }]],
      ["because a callback throws", (_, make) => [make(unchanged), { callbacks: throwing() }]],
      ["because a function throws", (_, make) => [make(failing()), {}]],
      [
        "because validation fails",
        (_, make) => {
          const validationData = make(failing());
          return [make(unchanged), { validationData }, validationData];
        },
      ],
    ])("%s", async (_, cut) => {
      const fitWith = (make: Make) =>
        leftBy(async (model) => {
          const [dataset, settings, other] = cut(model, make);
          const args = { epochs: 3, verbose: 0, ...settings } as Parameters<typeof model.fitDataset>[1];
          await model.fitDataset(dataset as never, args).catch((error: unknown) => error);
          return other === undefined ? [dataset] : [dataset, other];
        });
      // TensorFlow.js itself leaks one or two losses if a fit fails.
      expect(await fitWith(ours)).toBe(await fitWith(theirs));
    });
  });

  test("learns the same weights as trainOnBatch on the same batches", async () => {
    const data = fromBlocks(blocks).batch(4).toXY({ xs: "features", ys: "label" }).withTensors({ tf });
    const batches = await data.toArray();
    const { weights } = await trained((model) => model.fitDataset(data, { epochs: 3 }));

    const model = createModel();
    for (let epoch = 0; epoch < 3; epoch++) {
      for (const { xs, ys } of batches) await model.trainOnBatch(xs as tf.Tensor, ys as tf.Tensor);
    }
    const expected = model.getWeights().flatMap((weight) => [...weight.dataSync()]);
    expect(weights).toEqual(expected);
  });

  test("validates after each epoch, and evaluateDataset returns a finite loss", async () => {
    const model = createModel();
    const { history } = await model.fitDataset(trainingData(), {
      epochs: 2,
      validationData: trainingData(),
    });
    expect(history["val_loss"]).toHaveLength(2);
    const loss = (await model.evaluateDataset(trainingData(), {})) as tf.Scalar;
    expect(Number.isFinite(loss.dataSync()[0])).toBe(true);
  });

  test("learns classes from int64 labels, with and without a trailing dimension", async () => {
    const rows = Array.from({ length: 60 }, (_, row) => row);
    const source = fromBlocks(() => [
      {
        numRows: 60,
        columns: {
          x: dense(
            Float32Array.from(rows.flatMap((row) => [row % 3 === 0 ? 1 : 0, row % 3 === 1 ? 1 : 0])),
            [60, 2],
          ),
          label: dense(
            BigInt64Array.from(rows, (row) => BigInt(row % 3)),
            [60],
            "int64",
          ),
        },
      },
    ]);
    for (const keepRank of [false, true]) {
      const data = source
        .shuffle(60, { seed: 1 })
        .batch(10)
        .toXY({ ys: "label", xs: "x", keepRank })
        .withTensors({ tf, int64: { ys: "float32" } });
      const model = tfl.sequential();
      const kernelInitializer = tfl.initializers.glorotNormal({ seed: 5 });
      model.add(tfl.layers.dense({ units: 3, inputShape: [2], activation: "softmax", kernelInitializer }));
      model.compile({
        optimizer: tf.train.adam(0.1),
        loss: "sparseCategoricalCrossentropy",
        metrics: ["accuracy"],
      });
      const { history } = await model.fitDataset(data, { epochs: 10 });
      expect(history["acc"]?.at(-1)).toBe(1);
    }
  });

  test.each(["our dataset", "our dataset in a tfjs wrapper"])(
    "frees the source and all tensors of the dataset if an element of %s fails",
    async (kind) => {
      let isOpen = false;
      const failing = fromBlocks(function* () {
        isOpen = true;
        try {
          for (let batch = 0; batch < 9; batch++) yield* blocks();
        } finally {
          isOpen = false;
        }
      })
        .map(({ features, label, unused }) => {
          if (unused === 5) throw new RangeError("five");
          return { features, label };
        })
        .batch(2)
        .toXY({ ys: "label", xs: "features" })
        .withTensors({ tf })
        .prefetch(4);
      const model = createModel();
      const leakedBy = async (data: unknown): Promise<number> => {
        const numTensors = tf.memory().numTensors;
        await expect(model.fitDataset(data as typeof failing, { epochs: 1 })).rejects.toThrow("five");
        return tf.memory().numTensors - numTensors;
      };
      await model.fitDataset(trainingData(), { epochs: 1 });
      // TensorFlow.js itself keeps the mean loss of an epoch that fails: one scalar, whichever dataset fails.
      let numBatches = 0;
      const next = async (): Promise<unknown> => {
        if (numBatches++ === 2) throw new RangeError("five");
        return { done: false, value: { xs: tf.zeros([2, 2]), ys: tf.zeros([2, 1]) } };
      };
      const leakedByTfjs = await leakedBy({ size: null, iterator: async () => ({ next }) });
      expect(await leakedBy(kind === "our dataset" ? failing : asTfDataset(failing, tfData))).toBe(
        leakedByTfjs,
      );
      expect(isOpen).toBe(false);
    },
  );

  test("ends each epoch of an endless dataset after batchesPerEpoch batches", async () => {
    const data = trainingData().repeat();
    const model = createModel();
    const { epoch } = await model.fitDataset(data, { epochs: 3, batchesPerEpoch: 4 });
    await data.close();
    expect(epoch).toEqual([0, 1, 2]);
  });
});

describe("asTfDataset", () => {
  test("returns a Dataset whose iterator is a LazyIterator, both from the caller's copy of tfjs-data", async () => {
    const face = asTfDataset(fromItems([1, 2]), tfData);
    const foreign = tfData.array([1]);
    expect(face).toBeInstanceOf(tfData.Dataset);
    const lazyIterator = Object.getPrototypeOf((await foreign.iterator()).constructor);
    expect(await face.iterator()).toBeInstanceOf(lazyIterator);
    expect(face.size).toBe(2);
    expect("next" in face).toBe(false);
  });

  test("returns a dataset that can be zipped with one of tfjs-data", async () => {
    const ours = asTfDataset(fromItems([1, 2, 3]), tfData);
    const zipped = tfData.zip({ ours, theirs: tfData.array(["a", "b", "c"]) });
    expect(await zipped.toArray()).toEqual([
      { ours: 1, theirs: "a" },
      { ours: 2, theirs: "b" },
      { ours: 3, theirs: "c" },
    ]);
  });

  test("returns a dataset that can be concatenated with one of tfjs-data, in both orders", async () => {
    const ours = asTfDataset(fromItems([1, 2]), tfData);
    const theirs = tfData.array([8, 9]) as tfData.Dataset<tf.TensorContainer>;
    expect(await ours.concatenate(theirs).toArray()).toEqual([1, 2, 8, 9]);
    expect(await theirs.concatenate(ours).toArray()).toEqual([8, 9, 1, 2]);
  });

  test("keeps the meaning that inherited methods have in tfjs", async () => {
    const ours = asTfDataset(fromItems([1, 2, 3]), tfData);
    const batches = (await ours.batch(2, false).toArray()) as tf.Tensor[];
    expect(batches.map((batch) => [...batch.dataSync()])).toEqual([[1, 2]]);
  });

  test("rejects a value that is not tfjs-data, and one that is not a Dataset", () => {
    expect(() => asTfDataset(fromItems([1]), {} as never)).toThrow("[invalid-argument]");
    expect(() => asTfDataset({} as never, tfData)).toThrow("[invalid-argument] asTfDataset: dataset");
  });
});
