import type { Kernels } from "@tfxio/wire/kernels";
import { runWithHandler } from "../handler.js";
import type { Handler } from "../handler.js";
import type { Outcome } from "../outcome.js";
import { host } from "../places/host.js";
import type { Place } from "../places/place.js";
import type { VectorCase } from "../vector-file.js";
import { runDatasetVector } from "../dataset/run-vector.js";
import { runExpressionVector } from "../struct2tensor/run-expression.js";
import { runFunctionVector } from "../struct2tensor/run-function.js";
import { runMessageVector } from "../struct2tensor/run-vector.js";
import { arrayUtil } from "./array-util.js";
import { csvDecoder } from "./csv-decoder.js";
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

/** The functions that run cases, by `family/group/operation`. */
export type Handlers = ReadonlyMap<string, (vector: VectorCase) => Promise<Outcome>>;

/** Options of a run. */
export interface RunOptions {
  /** The place where tensors are created. Default: the host. */
  readonly place?: Place | undefined;
  /** The decoding kernels. Default: the fastest kernels that this environment supports. */
  readonly kernels?: Kernels | undefined;
}

/** The struct2tensor groups whose cases are queries. */
const EXPRESSION_GROUPS: readonly string[] = [
  "add_paths",
  "broadcast",
  "depth_limit",
  "extensions_any",
  "filter",
  "fuzz",
  "index",
  "map_prensor",
  "map_values",
  "maps",
  "prensor_views",
  "project",
  "promote",
  "promote_and_broadcast",
  "proto3",
  "proto_parse",
  "random_queries",
  "reroot",
  "size_has",
  "slice",
  "transform",
];

/** Creates the handlers of all operations that are implemented, except those of the dataset family. */
export function createHandlers({ place = host, kernels }: RunOptions): Handlers {
  return new Map([
    ...ofGroup("array_util", arrayUtil),
    ...ofGroup("csv_decoder", csvDecoder),
    ...ofGroup("example_decoder", exampleDecoder(kernels)),
    ...ofGroup("sequence_example_decoder", exampleDecoder(kernels)),
    ...ofGroup("example_encoder", exampleEncoder),
    ...ofGroup("table_util", tableUtil),
    ...ofGroup("tensor_adapter", tensorAdapter(place)),
    ...ofGroup("tensor_representation_util", tensorRepresentationUtil),
    ...ofGroup("tensor_to_arrow", tensorToArrow(place)),
    ...EXPRESSION_GROUPS.map((group) => [`struct2tensor/${group}/${group}`, runExpressionVector] as const),
    ["struct2tensor/functions/functions", runFunctionVector],
    ["struct2tensor/proto_to_arrow/proto_to_arrow", runMessageVector],
    ["struct2tensor/resolver/resolver", artifactVector("runResolverVector")],
    ["struct2tensor/gc/gc", artifactVector("runCollectionVector")],
    ["struct2tensor/mlmd_value/mlmd_value", artifactVector("runStoredValueVector")],
  ]);
}

/**
 * Creates a handler for artifact vectors. It imports the metadata store only when called, because browsers also load this
 * module.
 */
function artifactVector(
  name: "runResolverVector" | "runCollectionVector" | "runStoredValueVector",
): (vector: VectorCase) => Promise<Outcome> {
  return async (vector) => (await import("../artifacts/run-vector.js"))[name](vector);
}

/** Returns the function that runs a case, or undefined if the operation under test is not implemented. */
export function handlerFor(
  handlers: Handlers,
  { family, group, op }: VectorCase,
): ((vector: VectorCase) => Promise<Outcome>) | undefined {
  return family === "dataset" ? runDatasetVector : handlers.get(`${family}/${group}/${op}`);
}

/** Returns true if at least one operation of the case's group has a handler. */
export function knowsGroup(handlers: Handlers, { family, group }: VectorCase): boolean {
  return [...handlers.keys()].some((key) => key.startsWith(`${family}/${group}/`));
}
