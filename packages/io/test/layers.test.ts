import { afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import "@tensorflow/tfjs-backend-cpu";
import * as tf from "@tensorflow/tfjs-core";
import * as layers from "@tensorflow/tfjs-layers";
import { encodeExample } from "@tfxio/arrow-encoding";
import { defineSchema, float, int } from "@tfxio/schema";
import { RaggedTensor, SparseTensor, typedTensors } from "@tfxio/tensor-adapter";
import { openTfxio } from "../src/index.js";
import { tfRecordFile } from "./fixtures.js";

let before = 0;
beforeAll(async () => {
  tf.enableProdMode();
  await tf.setBackend("cpu");
});
beforeEach(() => {
  before = tf.memory().numTensors;
});
afterEach(() => {
  expect(tf.memory().numTensors).toBe(before);
});

const records = [[1, 2], [], [3]].map((values) =>
  encodeExample({ ids: { kind: "int64", values }, weights: { kind: "float", values } }),
);

for (const variableLength of ["ragged", "sparse"] as const) {
  test(`layers accept ${variableLength} tensors after conversion to dense`, async () => {
    const schema = defineSchema({ features: { ids: int(), weights: float() }, variableLength });
    const tfxio = await openTfxio(tfRecordFile(records), { schema, adapter: typedTensors(schema) });
    for await (const batch of tfxio.recordBatches()) {
      const { ids, weights } = tfxio.tensorAdapter().toTensors(batch, { tf });
      expect(ids).toBeInstanceOf(variableLength === "ragged" ? RaggedTensor : SparseTensor);
      const dense = ids.toDense({ tf, shape: [null, 3] });
      const table = tf.tensor2d([[0], [10], [20], [30]]);
      const embedding = layers.layers.embedding({
        inputDim: 4,
        outputDim: 1,
        maskZero: true,
        weights: [table],
        inputShape: [3],
      });
      const model = layers.sequential({ layers: [embedding, layers.layers.flatten()] });
      const embedded = model.predict(dense) as tf.Tensor;
      expect(await embedded.array()).toEqual([
        [10, 20, 0],
        [0, 0, 0],
        [30, 0, 0],
      ]);
      const numbers = weights.toDense({ tf, defaultValue: -1, shape: [null, 2] });
      const masking = layers.layers.masking({ maskValue: -1 });
      const column = tf.expandDims(numbers, 2);
      // Outside tidy, the layer would leak its mask.
      const masked = tf.tidy(() => masking.apply(column) as tf.Tensor);
      // The layer multiplies the masked values, which are -1, by 0. The product is -0.
      expect(Array.from(await masked.data(), (value) => value + 0)).toEqual([1, 2, 0, 0, 3, 0]);
      for (const each of [ids, weights, dense, table, embedded, numbers, column, masked]) each.dispose();
      model.dispose();
    }
    await tfxio.close();
  });
}

test("gradients flow through a ragged tensor that is converted to dense", async () => {
  const splits = tf.tensor1d([0, 2, 3], "int32");
  const values = tf.tensor1d([1, 2, 3]);
  const loss = (x: tf.Tensor): tf.Tensor =>
    tf.sum(tf.square(new RaggedTensor(x, [splits]).toDense({ tf, defaultValue: 7, shape: [null, 3] })));
  const gradient = tf.grad(loss)(values);
  expect(await gradient.array()).toEqual([2, 4, 6]);
  for (const each of [splits, values, gradient]) each.dispose();
});
