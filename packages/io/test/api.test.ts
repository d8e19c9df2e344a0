import { expect, test } from "@jest/globals";
import * as io from "../src/index.js";

test("@tfxio/io exports exactly these names", () => {
  expect(Object.keys(io).sort()).toEqual([
    "assertTargetApart",
    "datasetTfxio",
    "describeRead",
    "firstRows",
    "lastRows",
    "openRead",
    "openTfxio",
    "recordTfxio",
    "recordToTensorTfxio",
    "sampleRows",
    "shardName",
    "standardFormats",
    "verify",
    "writeShards",
    "writeTfxio",
  ]);
});
