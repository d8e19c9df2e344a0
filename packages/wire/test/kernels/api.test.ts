import { expect, test } from "@jest/globals";
import * as api from "../../src/kernels/index.js";

test("@tfxio/wire/kernels exports exactly the listed names", () => {
  expect(Object.keys(api).sort()).toEqual([
    "ArrayStatus",
    "FeatureKind",
    "FrameBounds",
    "KernelStatus",
    "arrayKernels",
    "chooseImplementation",
    "compileWasm",
    "freeBuffer",
    "instantiate",
    "kernelInfo",
    "kernels",
    "maskCrc32c",
    "reuseBuffer",
    "sharedKernels",
    "typescriptArrayKernels",
    "typescriptKernels",
    "unclearedBuffer",
    "useKernels",
  ]);
});
