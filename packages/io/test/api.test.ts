import { expect, test } from "@jest/globals";
import * as io from "../src/index.js";

test("exports these names", () => {
  expect(Object.keys(io).sort()).toEqual([
    "datasetTfxio",
    "describeRead",
    "openRead",
    "openTfxio",
    "recordTfxio",
    "shardName",
    "standardFormats",
    "verify",
    "writeTfxio",
  ]);
});
