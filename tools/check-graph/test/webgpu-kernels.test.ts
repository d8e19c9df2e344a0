import path from "node:path";
import { expect, test } from "@jest/globals";
import { reachableFiles } from "../src/reachable.js";
import { createResolver } from "../src/resolve.js";
import { readWorkspace } from "../src/workspace.js";

const workspace = readWorkspace(path.join(import.meta.dirname, "..", "..", ".."));
const resolve = createResolver(workspace, "browser");

/** Returns the chains of imports from an entry to files of the WebGPU kernels. */
function trailsToKernels(specifier: string): string[] {
  const [anyPackage] = workspace.packages;
  const entry = anyPackage && resolve(specifier, "", anyPackage);
  if (entry?.kind !== "file") throw new TypeError(`no entry ${specifier}`);
  return [...reachableFiles(workspace.root, entry, resolve)]
    .filter(({ file }) => file.includes(path.join("tensor-adapter", "src", "webgpu")))
    .map(({ trail }) => trail.join(" → "));
}

test.each(["@tfxio/tensor-adapter", "@tfxio/dataset", "@tfxio/io", "tfxio"])(
  "the main entry of %s does not reach the WebGPU kernels",
  (name) => {
    expect(trailsToKernels(name)).toEqual([]);
  },
);

test("@tfxio/tensor-adapter/webgpu reaches the WebGPU kernels", () => {
  expect(trailsToKernels("@tfxio/tensor-adapter/webgpu").length).toBeGreaterThan(5);
});
