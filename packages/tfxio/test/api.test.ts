import { expect, test } from "@jest/globals";
import * as tfxio from "../src/index.js";

test.each([
  "wire",
  "schema",
  "arrow-encoding",
  "format",
  "formats-tfrecord",
  "tensor-adapter",
  "dataset",
  "io",
])("re-exports all that @tfxio/%s exports", async (name) => {
  const part = (await import(`@tfxio/${name}`)) as Record<string, unknown>;
  const missing = Object.keys(part).filter((key) => (tfxio as Record<string, unknown>)[key] !== part[key]);
  expect(missing).toEqual([]);
});

test("loads no TensorFlow.js backend", () => {
  const globals = globalThis as { _tfengine?: { readonly registryFactory?: object } };
  expect(Object.keys(globals._tfengine?.registryFactory ?? {})).toEqual([]);
});
