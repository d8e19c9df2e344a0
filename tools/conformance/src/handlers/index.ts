import { runWithHandler } from "../handler.js";
import type { Handler } from "../handler.js";
import type { Outcome } from "../outcome.js";
import type { VectorCase } from "../vector-file.js";
import { exampleDecoder } from "./example-decoder.js";
import { tensorAdapter } from "./tensor-adapter.js";
import { tensorRepresentationUtil } from "./tensor-representation-util.js";

function ofGroup(
  group: string,
  ops: Readonly<Record<string, Handler>>,
): [string, (v: VectorCase) => Promise<Outcome>][] {
  return Object.entries(ops).map(([op, handler]) => [
    `tfx-bsl/${group}/${op}`,
    (vector) => runWithHandler(vector, handler),
  ]);
}

/** `family/group/op` → how its cases are run. What is not listed is not built yet, and skipped. */
export const handlers: ReadonlyMap<string, (vector: VectorCase) => Promise<Outcome>> = new Map([
  ...ofGroup("example_decoder", exampleDecoder),
  ...ofGroup("tensor_adapter", tensorAdapter),
  ...ofGroup("tensor_representation_util", tensorRepresentationUtil),
]);
