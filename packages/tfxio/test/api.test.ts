import { existsSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import * as tfxio from "../src/index.js";
import { builtEntry, packagesReached } from "./packages-reached.js";

// The graph of what users load. Skipped before the first build.
const describeBuilt = existsSync(builtEntry("tfxio")) ? describe : describe.skip;

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

describeBuilt("importing tfxio", () => {
  const umbrella = builtEntry("tfxio");

  test("loads nothing of TensorFlow.js", () => {
    expect(packagesReached(umbrella)).toEqual(["@bufbuild/protobuf", "apache-arrow", "tinyglobby"]);
  });

  test("is seen to load one that is planted in any package below", () => {
    for (const name of ["tfxio", "io", "dataset", "tensor-adapter"]) {
      const planted = new Map([[builtEntry(name), 'import "@tensorflow/tfjs-backend-cpu";']]);
      expect(packagesReached(umbrella, planted)).toContain("@tensorflow/tfjs-backend-cpu");
    }
  });
});
