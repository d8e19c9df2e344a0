import { expect, test } from "@jest/globals";
import * as tf from "@tensorflow/tfjs-core";
import "@tensorflow/tfjs-backend-cpu";
import { explainBackends } from "../../src/backends/index.js";

tf.enableProdMode();

const importModule = async (specifier: string): Promise<unknown> => {
  if (specifier.startsWith("@tensorflow/tfjs-backend-") && !specifier.endsWith("webgpu"))
    return import(specifier);
  throw Object.assign(new Error(`Cannot find package '${specifier}'`), { code: "ERR_MODULE_NOT_FOUND" });
};

test("explainBackends tries every backend, reports on each, and restores the current backend", async () => {
  await tf.setBackend("cpu");
  const report = await explainBackends({ tf, importModule });
  expect(report.attempts.map(({ name, usable }) => [name, usable])).toEqual([
    ["tfjs-node-gpu", false],
    ["tfjs-node", false],
    ["webgpu", false],
    ["wasm", true],
    ["cpu", true],
  ]);
  expect(String(report).split("\n")).toEqual([
    "backend        usable  reason         detail",
    "tfjs-node-gpu  no      not-installed  not installed (npm install @tensorflow/tfjs-node-gpu)",
    "tfjs-node      no      not-installed  not installed (npm install @tensorflow/tfjs-node)",
    "webgpu         no      not-installed  package webgpu (WebGPU for Node): not installed (npm install webgpu)",
    "wasm           yes                    WebAssembly, tfjs 4.22.0",
    "cpu            yes                    plain JavaScript, tfjs 4.22.0",
  ]);
  expect(tf.getBackend()).toBe("cpu");
});

test("explainBackends makes the fastest usable backend current if no backend was current", async () => {
  let current = "cpu";
  const registry = {
    ...tf,
    getBackend: () => "",
    setBackend: async (name: string): Promise<boolean> => {
      current = name;
      return true;
    },
  };
  await explainBackends({ tf: registry, importModule });
  expect(current).toBe("wasm");
});
