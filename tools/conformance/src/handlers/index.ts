import { runWithHandler } from "../handler.js";
import type { Handler } from "../handler.js";
import type { Outcome } from "../outcome.js";
import type { VectorCase } from "../vector-file.js";
import { runDatasetVector } from "../dataset/run-vector.js";
import { arrayUtil } from "./array-util.js";
import { exampleDecoder } from "./example-decoder.js";
import { exampleEncoder } from "./example-encoder.js";
import { tableUtil } from "./table-util.js";
import { tensorAdapter } from "./tensor-adapter.js";
import { tensorRepresentationUtil } from "./tensor-representation-util.js";
import { tensorToArrow } from "./tensor-to-arrow.js";

function ofGroup(
  group: string,
  ops: Readonly<Record<string, Handler>>,
): [string, (v: VectorCase) => Promise<Outcome>][] {
  return Object.entries(ops).map(([op, handler]) => [
    `tfx-bsl/${group}/${op}`,
    (vector) => runWithHandler(vector, handler),
  ]);
}

const byOperation = new Map([
  ...ofGroup("array_util", arrayUtil),
  ...ofGroup("example_decoder", exampleDecoder),
  ...ofGroup("sequence_example_decoder", exampleDecoder),
  ...ofGroup("example_encoder", exampleEncoder),
  ...ofGroup("table_util", tableUtil),
  ...ofGroup("tensor_adapter", tensorAdapter),
  ...ofGroup("tensor_representation_util", tensorRepresentationUtil),
  ...ofGroup("tensor_to_arrow", tensorToArrow),
]);

/** How a case is run; undefined when what it is about is not built yet. */
export function handlerFor({
  family,
  group,
  op,
}: VectorCase): ((vector: VectorCase) => Promise<Outcome>) | undefined {
  return family === "dataset" ? runDatasetVector : byOperation.get(`${family}/${group}/${op}`);
}

/** True when some operation of the case's group is built. */
export function knowsGroup({ family, group }: VectorCase): boolean {
  return [...byOperation.keys()].some((key) => key.startsWith(`${family}/${group}/`));
}
