import path from "node:path";
import type * as tfjs from "@tensorflow/tfjs-core";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { loadBackend } from "@tfxio/tensor-adapter/backends";
import { vectorsFolder } from "../src/main.js";
import { backend } from "../src/places/backend.js";
import { runCases } from "../src/run.js";
import { readCases } from "../src/vector-file.js";

type Tf = typeof tfjs;

const casesOf = (group: string) => readCases([path.join(vectorsFolder, "tfx-bsl", `${group}.json`)]);

async function problemsOf(group: string, tf: Tf): Promise<string[]> {
  const problems: string[] = [];
  for await (const { vector, outcome } of runCases(casesOf(group), { place: backend(tf) })) {
    if (outcome.status === "passed") continue;
    problems.push(`${vector.name}: ${outcome.status === "failed" ? outcome.detail : outcome.reason}`);
  }
  return problems;
}

describe.each(["cpu", "wasm"] as const)("on the TensorFlow.js backend %s, the test vectors", (name) => {
  let tf: Tf;
  beforeAll(async () => {
    const loaded = await loadBackend({ prefer: name });
    tf = loaded.tf;
    tf.enableProdMode();
    expect(loaded.name).toBe(name);
  });

  test.each(["tensor_adapter", "tensor_to_arrow"])("of %s all pass", async (group) => {
    expect(await problemsOf(group, tf)).toEqual([]);
  });

  test.each(["tensor_adapter", "tensor_to_arrow"])("of %s detect wrong values", async (group) => {
    const { tensor } = tf;
    const zeros: typeof tensor = (...args) => tf.tidy(() => tf.zerosLike(tensor(...args)));
    const problems = await problemsOf(group, { ...tf, tensor: zeros });
    expect(problems.length).toBeGreaterThan(40);
    expect(problems.filter((problem) => /expected .+, got/.test(problem)).length).toBeGreaterThan(20);
    expect(problems.filter((problem) => problem.includes("buffers must not change"))).toEqual([]);
  });

  test.each(["tensor_adapter", "tensor_to_arrow"])("of %s detect leaked tensors", async (group) => {
    const { tensor } = tf;
    const twice: typeof tensor = (...args) => tf.clone(tensor(...args));
    const problems = await problemsOf(group, { ...tf, tensor: twice });
    expect(problems.length).toBeGreaterThan(40);
    expect(problems.filter((problem) => !problem.includes("buffers must not change"))).toEqual([]);
  });
});
