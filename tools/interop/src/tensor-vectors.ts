import type * as tfjs from "@tensorflow/tfjs-core";
import { backend } from "@tfxio-tools/conformance/places/backend";
import { runCases } from "@tfxio-tools/conformance/run";
import type { VectorCase } from "@tfxio-tools/conformance/vector-file";
import type { Reporter } from "./interop.js";

/** Runs the test vectors in `cases` on the current backend. A test vector fails if it leaks a tensor. */
export async function checkTensorVectors(
  tf: typeof tfjs,
  cases: readonly VectorCase[],
  report: Reporter,
): Promise<void> {
  for await (const { vector, outcome } of runCases(cases, { place: backend(tf) })) {
    const what = `${vector.group}/${vector.name}`;
    if (outcome.status === "passed") report.passed(what);
    else if (outcome.status === "skipped") report.skipped(what, outcome.reason);
    else report.failed(what, outcome.detail);
  }
}
