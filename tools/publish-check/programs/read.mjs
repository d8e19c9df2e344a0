// Creates a TFRecord file, and reads it as record batches, host columns and rows. None of this needs TensorFlow.js.
import assert from "node:assert/strict";
// @boundaries-ignore: the application that runs this program installs tfxio.
import { encodeExample, encodeTfRecord, openTfxio, writeTfxio } from "tfxio";

const rows = Array.from({ length: 10 }, (_, i) =>
  encodeExample({
    age: { kind: "int64", values: [i] },
    scores: { kind: "float", values: [i / 4, 1 - i / 4] },
    tags: i % 2 === 0 ? null : { kind: "bytes", values: ["odd"] },
  }),
);
const file = new Blob(rows.map((row) => encodeTfRecord(row)));
const data = await openTfxio(file, { inferSchema: "full" });
assert.deepEqual(
  data.arrowSchema().fields.map(({ name }) => name),
  ["age", "scores", "tags"],
);

const adapter = data.tensorAdapter();
const sizes = [];
for await (const batch of data.recordBatches({ batchSize: 4 })) {
  sizes.push(batch.numRows);
  const { age, scores } = adapter.toHost(batch);
  assert.ok(age?.values instanceof BigInt64Array);
  assert.deepEqual(scores?.kind === "dense" && scores.shape, [batch.numRows, 2]);
}
assert.deepEqual(sizes, [4, 4, 2]);

const odd = await openTfxio(file, { inferSchema: "full", filter: "tags is not null" });
const { numRows } = await writeTfxio(odd, "odd.tfrecord.gz");
assert.equal(numRows, 5);
const ages = [];
const again = await openTfxio("odd.tfrecord.gz", { inferSchema: "full" });
for await (const { age } of again.rows()) ages.push(...age);
assert.deepEqual(ages.map(Number), [1, 3, 5, 7, 9]);
