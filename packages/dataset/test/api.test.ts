import { expect, jest, test } from "@jest/globals";

const tfjsPackages = ["@tensorflow/tfjs-core", "@tensorflow/tfjs-data", "@tensorflow/tfjs-layers"];

test("the main entry exports what users and source authors need, and loads without TensorFlow.js", async () => {
  for (const name of tfjsPackages) {
    jest.unstable_mockModule(name, () => {
      throw new Error(`${name} has been loaded`);
    });
  }
  const api = await import("../src/index.js");
  expect(Object.keys(api).sort()).toEqual([
    "Dataset",
    "DatasetIterator",
    "Reducer",
    "TF_WINDOW",
    "batchDense",
    "batchSparse",
    "chooseFromDatasets",
    "count",
    "first",
    "fromBlocks",
    "fromItems",
    "fromRandomAccess",
    "fromRecordBatches",
    "fromSaved",
    "interleaveBatches",
    "isTuple",
    "last",
    "max",
    "mean",
    "min",
    "paddedBatchDense",
    "paddedBatchSparse",
    "ragged",
    "sampleFromDatasets",
    "sum",
    "toArray",
    "tuple",
    "withProgress",
    "zip",
  ]);
  await expect(api.fromItems([1, 2, 3]).shuffle(3, { seed: 1 }).batch(2).toArray()).resolves.toHaveLength(2);
});

test("the tfjs entry exports only asTfDataset, and loads without TensorFlow.js", async () => {
  for (const name of tfjsPackages) {
    jest.unstable_mockModule(name, () => {
      throw new Error(`${name} has been loaded`);
    });
  }
  const api = await import("../src/tfjs/index.js");
  expect(Object.keys(api).sort()).toEqual(["asTfDataset"]);
});

test("the arrow entry exports datasets of Arrow data", async () => {
  const api = await import("../src/arrow/index.js");
  expect(Object.keys(api).sort()).toEqual(["ArrowDataset", "ArrowFeatherDataset", "ArrowStreamDataset"]);
});
