import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { runCases } from "../src/run.js";
import { readCases } from "../src/vector-file.js";

const file = path.resolve(import.meta.dirname, "../../../../shared/goldens/dataset/random_pipelines.json");

/** Pipelines for which we deliberately differ from TensorFlow 2.21, with the reasons. */
const decidedDifferences: Readonly<Record<string, string>> = {
  "ds-random-0106":
    "raggedBatch always returns ragged batches, even if all shapes are equal, because no shape is known beforehand",
  "ds-random-0521":
    "raggedBatch always returns ragged batches, even if all shapes are equal, because no shape is known beforehand",
  "ds-random-0420": "an element that fails keeps its position, so its error is in one shard, not in all",
  "ds-random-0448": "the number of rows in a batch is not known before the pass",
  "ds-random-0500": "the number of rows in a batch is not known before the pass",
};

(existsSync(file) ? describe : describe.skip)("random pipelines", () => {
  test("have the same results as in TensorFlow, except for deliberate differences", async () => {
    const problems = new Map<string, string>();
    let numPassed = 0;
    for await (const { vector, outcome } of runCases(readCases([file]))) {
      if (outcome.status === "passed") numPassed++;
      else problems.set(vector.name, outcome.status === "failed" ? outcome.detail : outcome.reason);
    }
    const unexpected = [...problems].filter(([name]) => !(name in decidedDifferences));
    expect(unexpected).toEqual([]);
    expect([...problems.keys()].sort()).toEqual(Object.keys(decidedDifferences).sort());
    expect(numPassed).toBe(400);
  });
});

const arrowFile = path.resolve(path.dirname(file), "arrow_random.json");

(existsSync(arrowFile) ? describe : describe.skip)("datasets of Arrow batches, streams and files", () => {
  test("yield the same elements as those of tensorflow-io", async () => {
    const problems: string[] = [];
    const cases = readCases([arrowFile]);
    for await (const { vector, outcome } of runCases(cases)) {
      if (outcome.status === "failed") problems.push(`${vector.name}: ${outcome.detail}`);
      if (outcome.status === "skipped") problems.push(`${vector.name}: ${outcome.reason}`);
    }
    expect(problems).toEqual([]);
    expect(cases).toHaveLength(106);
  });
});
