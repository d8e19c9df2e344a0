// Creates tensors and datasets on the cpu backend of TensorFlow.js.
import assert from "node:assert/strict";
// @boundaries-ignore: the application that runs this program installs TensorFlow.js.
import * as tf from "@tensorflow/tfjs-core";
// @boundaries-ignore: the application that runs this program installs TensorFlow.js.
import "@tensorflow/tfjs-backend-cpu";
// @boundaries-ignore: the application that runs this program installs tfxio.
import { encodeExample, encodeTfRecord, openTfxio, RaggedTensor } from "tfxio";

const rows = Array.from({ length: 6 }, (_, i) =>
  encodeExample({
    scores: { kind: "float", values: [i, -i] },
    label: { kind: "int64", values: [i % 2] },
  }),
);
const data = await openTfxio(new Blob(rows.map((row) => encodeTfRecord(row))), { inferSchema: "full" });

for await (const batch of data.recordBatches()) {
  const { scores, label } = data.tensorAdapter().toTensors(batch, { tf });
  assert.ok(scores instanceof tf.Tensor);
  assert.deepEqual(scores.shape, [6, 2]);
  assert.deepEqual([...label.dataSync()], [0, 1, 0, 1, 0, 1]);
  const splits = tf.tensor1d([0, 2, 6], "int32");
  const ragged = new RaggedTensor(tf.slice(tf.reshape(scores, [12]), 0, 6), [splits]);
  assert.deepEqual(ragged.toDense({ tf }).shape, [2, 4]);
}

const shapes = [];
for await (const { xs, ys } of data.dataset({ tf, batchSize: 4, labelKey: "label" })) {
  shapes.push([xs.scores?.shape ?? xs.shape, ys.shape]);
}
assert.equal(shapes.length, 2);
