import path from "node:path";
import type * as tfjs from "@tensorflow/tfjs-core";
import { vectorsFolder } from "@tfxio-tools/conformance/main";
import { backend } from "@tfxio-tools/conformance/places/backend";
import { runCases } from "@tfxio-tools/conformance/run";
import { readCases } from "@tfxio-tools/conformance/vector-file";
import type { Reporter } from "./interop.js";

const groups = ["tensor_adapter", "tensor_to_arrow"];

/** Runs every vector about tensors, which are made on the current backend and read back, and leaves none of them. */
export async function checkTensorVectors(tf: typeof tfjs, report: Reporter): Promise<void> {
  const cases = readCases(groups.map((group) => path.join(vectorsFolder, "tfx-bsl", `${group}.json`)));
  for await (const { vector, outcome } of runCases(cases, backend(tf))) {
    const what = `${vector.group}/${vector.name}`;
    if (outcome.status === "passed") report.passed(what);
    else if (outcome.status === "skipped") report.skipped(what, outcome.reason);
    else report.failed(what, outcome.detail);
  }
}
