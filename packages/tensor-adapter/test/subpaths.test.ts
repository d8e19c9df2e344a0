import { expect, test } from "@jest/globals";
import * as backends from "../src/backends/index.js";
import * as webgpu from "../src/webgpu/index.js";

test("the subpath ./backends exports only explainBackends and loadBackend", () => {
  expect(Object.keys(backends).sort()).toEqual(["explainBackends", "loadBackend"]);
});

test("the subpath ./webgpu exports exactly the listed names", () => {
  expect(Object.keys(webgpu).sort()).toEqual([
    "fillNullRows",
    "raggedIndices",
    "raggedToDense",
    "withDeviceLayouts",
  ]);
});
