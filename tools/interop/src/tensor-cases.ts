import path from "node:path";
import { vectorsFolder } from "@tfxio-tools/conformance/main";
import { readCases, type VectorCase } from "@tfxio-tools/conformance/vector-file";

/** Reads the test vectors of tfx_bsl that convert batches to tensors, or tensors to batches. */
export function tensorCases(): VectorCase[] {
  const groups = ["tensor_adapter", "tensor_to_arrow"];
  return readCases(groups.map((group) => path.join(vectorsFolder, "tfx-bsl", `${group}.json`)));
}
