import { describe, expect, test } from "@jest/globals";
import { bytes, ColumnPath, defineSchema, float, int } from "@tfxio/schema";
import {
  type HostDense,
  TensorAdapter,
  type TensorAdapterConfig,
  type TensorHandler,
  TensorSpec,
  typedTensors,
} from "@tfxio/tensor-adapter";
import { isTfxioError } from "@tfxio/wire";
import { openTfxio } from "../src/index.js";
import { examples, SCHEMA, tfRecordFile } from "./fixtures.js";

const file = tfRecordFile(examples(1, 5));

/** A handler for a tensor that holds the number of tags in each row. */
const tagCount: TensorHandler = {
  typeSpec: new TensorSpec([null], "int32"),
  sourceColumns: [new ColumnPath(["tags"])],
  toHost(batch) {
    const tags = batch.getChild("tags");
    const values = Int32Array.from(
      { length: batch.numRows },
      (_, row) => (tags?.get(row) as { length: number } | null)?.length ?? 0,
    );
    return { kind: "dense", dtype: "int32", shape: [batch.numRows], values, borrowed: false };
  },
};
let configs: TensorAdapterConfig[] = [];
const withTagCount = (config: TensorAdapterConfig): TensorAdapter => {
  configs.push(config);
  return new TensorAdapter({ ...config, handlers: new Map([["tagCount", tagCount]]) });
};

describe("a custom adapter", () => {
  test("is created once, on first use, for batches and datasets alike", async () => {
    configs = [];
    const tfxio = await openTfxio(file, { schema: SCHEMA, adapter: withTagCount });
    expect(configs).toHaveLength(0);
    expect([...tfxio.tensorAdapter().typeSpecs().keys()].sort()).toEqual([
      "id",
      "tagCount",
      "tags",
      "x",
      "y",
    ]);
    for await (const batch of tfxio.recordBatches()) {
      expect(tfxio.tensorAdapter().toHost(batch)["tagCount"]?.values).toEqual(Int32Array.of(1, 2, 0, 0));
    }
    for await (const element of tfxio.dataset({ shuffle: false, batchSize: 4, labelKey: "y" })) {
      const { xs } = element as { xs: Record<string, HostDense> };
      expect(xs["tagCount"]?.values).toEqual(Int32Array.of(1, 2, 0, 0));
    }
    expect(configs).toHaveLength(1);
    expect([...(configs[0]?.tensorRepresentations.keys() ?? [])]).toContain("tags");
    await tfxio.close();
  });

  test("is projected to some of its tensors, and only their columns are read", async () => {
    const tfxio = await openTfxio(file, { schema: SCHEMA, adapter: withTagCount });
    const projected = tfxio.project(["tagCount", "id"]);
    expect(
      projected
        .arrowSchema()
        .fields.map(({ name }) => name)
        .sort(),
    ).toEqual(["id", "tags"]);
    expect([...projected.tensorRepresentations().keys()]).toEqual(["id"]);
    for await (const batch of projected.recordBatches()) {
      const host = projected.tensorAdapter().toHost(batch);
      expect(Object.keys(host)).toEqual(["tagCount", "id"]);
      expect(host["tagCount"]?.values).toEqual(Int32Array.of(1, 2, 0, 0));
    }
    expect(projected.tensorAdapter().originalTypeSpecs().size).toBe(5);
    const again = projected.project(["tagCount"]);
    expect(again.arrowSchema().fields.map(({ name }) => name)).toEqual(["tags"]);
    expect([...again.tensorAdapter().typeSpecs().keys()]).toEqual(["tagCount"]);
    let thrown: unknown;
    try {
      // @ts-expect-error not in the projection
      projected.project(["x"]);
    } catch (error) {
      thrown = error;
    }
    expect(isTfxioError(thrown, "invalid-argument") && thrown.reason).toBe("unknown-tensor");
    await tfxio.close();
  });

  test("can pad rows that are too short, which the default adapter rejects", async () => {
    const schema = defineSchema({ features: { tags: bytes().shape([2]).default("-") } });
    const strict = await openTfxio(file, { schema });
    const padding = await openTfxio(file, {
      schema,
      adapter: (config) => new TensorAdapter({ ...config, onShort: "pad" }),
    });
    for await (const batch of padding.recordBatches()) {
      expect(() => strict.tensorAdapter().toHost(batch)).toThrow("has 1 values; shape [2] takes 2");
      expect(padding.tensorAdapter().toHost(batch)["tags"]).toMatchObject({ kind: "dense", shape: [4, 2] });
    }
    await strict.close();
    await padding.close();
  });
});

test("an adapter factory is rejected if it returns no adapter, and is called again on the next use", async () => {
  const made: unknown[] = [undefined, null, {}];
  const tfxio = await openTfxio(file, {
    schema: SCHEMA,
    adapter: ((config: TensorAdapterConfig) =>
      made.length === 0 ? new TensorAdapter(config) : made.shift()) as typeof withTagCount,
  });
  for (let left = 3; left > 0; left--) {
    expect(() => tfxio.tensorAdapter()).toThrow(
      expect.objectContaining({ code: "invalid-argument", argument: "adapter" }),
    );
  }
  expect([...tfxio.tensorAdapter().typeSpecs().keys()]).toContain("id");
  const waiting = await openTfxio(file, {
    schema: SCHEMA,
    adapter: ((config: TensorAdapterConfig) => Promise.resolve(new TensorAdapter(config))) as never,
  });
  const rejected = expect.objectContaining({ code: "invalid-argument", argument: "adapter" });
  expect(() => waiting.project(["id"])).toThrow(rejected);
  expect(() => waiting.dataset()).toThrow(rejected);
});

test("typedTensors gives static types to the tensors of a TFXIO and of its projections", async () => {
  const schema = defineSchema({
    features: { id: int().shape([]), x: float().shape([2]), tags: bytes(), y: int().shape([1]) },
  });
  const tfxio = await openTfxio(file, { schema, adapter: typedTensors(schema) });
  const projected = tfxio.project(["id"]);
  for await (const batch of tfxio.recordBatches()) {
    const { id, x } = tfxio.tensorAdapter().toHost(batch);
    const ids: BigInt64Array = id.values;
    const xs: Float32Array = x.values;
    expect([ids, xs.length]).toEqual([BigInt64Array.of(1n, 2n, 3n, 4n), 8]);
  }
  for await (const batch of projected.recordBatches()) {
    const host = projected.tensorAdapter().toHost(batch);
    expect(host.id.shape).toEqual([4]);
    // @ts-expect-error not in the projection
    expect(host.x).toBeUndefined();
  }
  // @ts-expect-error no such tensor
  expect(() => tfxio.project(["none"])).toThrow("Unknown tensor");
  await tfxio.close();
});
