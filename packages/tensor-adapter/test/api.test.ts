import { expect, test } from "@jest/globals";
import * as api from "../src/index.js";

// A change to this list needs a changeset.
test("@tfxio/tensor-adapter exports exactly the listed names", () => {
  expect(Object.keys(api).sort()).toEqual([
    "BytesColumn",
    "FLOAT64_POLICIES",
    "INT64_POLICIES",
    "MAX_ELEMENTS",
    "RaggedTensor",
    "RaggedTensorSpec",
    "SparseTensor",
    "SparseTensorSpec",
    "StructuredTensor",
    "StructuredTensorAdapter",
    "StructuredTensorSpec",
    "TensorAdapter",
    "TensorSpec",
    "TensorsToRecordBatchConverter",
    "formatAdapterExplanation",
    "numRowsOf",
    "numberArrays",
    "readTensor",
    "structuredTensorFromJson",
    "structuredTensorToJson",
    "tidyTensors",
    "toFloat16",
    "toTensor",
    "typedTensors",
  ]);
});
