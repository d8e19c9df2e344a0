import * as tf from "@tensorflow/tfjs-core";
import "@tensorflow/tfjs-backend-cpu";
import * as layers from "@tensorflow/tfjs-layers";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { arrow } from "@tfxio/formats-arrow";
import { openTfxio, type Tfxio } from "@tfxio/io";
import { bytes, defineSchema, float, int } from "@tfxio/schema";
import type { HostSparse } from "@tfxio/tensor-adapter";
import { memoryTarget } from "@tfxio/wire";
import { Float64, Int32, Table, Utf8, vectorFromArray } from "apache-arrow";
import { collect } from "./fixtures.js";

const heights = [1.5, null, 0.1, 2];
const cities = ["Köln", "Bern", null, "Oslo"];
const labels = [0, 1, 1, 0];

const csv = "height,city,label\n1.5,Köln,0\n,Bern,1\n0.1,,1\n2,Oslo,0\n";
const jsonl = heights
  .map((height, row) => JSON.stringify({ height, city: cities[row], label: labels[row] }))
  .join("\n");

/** Writes an Arrow file whose heights are float64 and whose labels are int32. */
async function arrowFile(): Promise<Uint8Array> {
  const table = new Table({
    height: vectorFromArray(heights, new Float64()),
    city: vectorFromArray(cities, new Utf8()),
    label: vectorFromArray(labels, new Int32()),
  });
  const target = memoryTarget("people.arrow");
  const writer = await arrow.createWriter(target, { arrowSchema: table.schema });
  for (const batch of table.batches) await writer.write(batch);
  await writer.finish();
  await target.commit();
  return target.bytes();
}

const files = { csv: async () => new Blob([csv]), jsonl: async () => new Blob([jsonl]), arrow: arrowFile };
const formats = ["csv", "jsonl", "arrow"] as const;
const schema = defineSchema({
  features: { height: float().shape([1]).default(0), city: bytes(), label: int().shape([1]) },
});

beforeAll(async () => {
  await tf.setBackend("cpu");
});

describe.each(formats)("training on %s", (format) => {
  const infer = async () => openTfxio(await files[format](), { inferSchema: "full" });
  const fit = (tfxio: Tfxio, name: string) => {
    const input = layers.input({ shape: [1], name });
    const output = layers.layers.dense({ units: 1 }).apply(input) as layers.SymbolicTensor;
    const model = layers.model({ inputs: input, outputs: output });
    model.compile({ optimizer: "sgd", loss: "meanSquaredError" });
    const rows = tfxio.project([name, "label"]).dataset({ batchSize: 2, labelKey: "label", tf });
    return model.fitDataset(rows, { epochs: 1, verbose: 0 });
  };

  test("replaces nulls with the schema's default, and uses float32 labels", async () => {
    const rounding = format === "arrow" ? { float64: "float32-lossy" as const } : {};
    const tfxio = await openTfxio(await files[format](), { schema, ...rounding });
    const rows = tfxio.project(["height", "label"]);
    const [element] = await rows.dataset({ batchSize: 4, labelKey: "label", shuffle: false, tf }).toArray();
    const { xs, ys } = element as { xs: Record<string, tf.Tensor>; ys: tf.Tensor };
    expect([...xs["height"]!.dataSync()]).toEqual([1.5, 0, Math.fround(0.1), 2]);
    expect([xs["height"]!.shape, ys.shape, ys.dtype, [...ys.dataSync()]]).toEqual([
      [4, 1],
      [4, 1],
      "float32",
      labels,
    ]);
    const { history } = await fit(tfxio, "height");
    expect(history["loss"]).toEqual([expect.any(Number)]);
  });

  test("converts a text column that contains a null to a sparse tensor if the schema is inferred", async () => {
    const tfxio = await infer();
    const adapter = tfxio.tensorAdapter();
    expect(String(adapter.typeSpecs().get("city"))).toBe("SparseTensorSpec(shape=[?, ?], dtype=string)");
    const [batch] = await collect(tfxio.recordBatches());
    const { city } = adapter.toHost(batch!, ["city"]);
    expect(city).toMatchObject({ kind: "sparse", denseShape: [4, 1] });
    expect((city as HostSparse).indices).toEqual(Int32Array.of(0, 0, 1, 0, 3, 0));
  });

  test("rejects a label that may be null, and the error names the remedy", async () => {
    const tfxio = await infer();
    expect(() => tfxio.dataset({ labelKey: "city", tf })).toThrow(/give the feature a shape and presence/);
  });
});

describe.each(["jsonl", "arrow"] as const)("a float64 column of %s data", (format) => {
  test("is rejected if float32 would be inexact, and the error names the option to set", async () => {
    const inferred = (await openTfxio(await files[format](), { inferSchema: "full" })).project(["height"]);
    const read = async (options: { readonly float64?: "float32-lossy" }) =>
      inferred.dataset({ batchSize: 4, shuffle: false, tf, ...options }).toArray();
    await expect(read({})).rejects.toThrow('pass float64: { "height": "float32-lossy" }');
    expect(await read({ float64: "float32-lossy" })).toHaveLength(1);
  });
});

test("a read with a schema rejects float64 values that float32 would round, and the error names the option to set", async () => {
  const narrowed = await openTfxio(await files.arrow(), { schema });
  await expect(narrowed.project(["height"]).dataset({ tf }).toArray()).rejects.toThrow(
    'float64: "float32-lossy"',
  );
});
