import { createRequire } from "node:module";
import path from "node:path";
import * as tf from "@tensorflow/tfjs-core";
import { setWasmPaths } from "@tensorflow/tfjs-backend-wasm";

/** Selects TensorFlow.js's wasm backend. It is fast enough for small models, and needs no compiler and no download. */
export async function setWasmBackend(): Promise<void> {
  const entry = createRequire(import.meta.url).resolve("@tensorflow/tfjs-backend-wasm");
  setWasmPaths(`${path.dirname(entry)}${path.sep}`);
  await tf.setBackend("wasm");
  await tf.ready();
}
