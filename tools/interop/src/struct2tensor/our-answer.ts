import { applyStep } from "@tfxio-tools/conformance/struct2tensor/apply-step";
import {
  nodeNotation,
  raggedNotation,
  sparseNotation,
} from "@tfxio-tools/conformance/struct2tensor/value-notation";
import { createQueryPlan, fromProto, type Prensor } from "@tfxio/struct2tensor";
import { isTfxioError } from "@tfxio/wire";
import type { QueryCase } from "./random-case.js";

/** The result of a query, or the error as `code/reason` if the query was rejected. */
export type Answer = { readonly error: string } | AnsweredFields;

/** The fields of a query's result by path, as nodes, ragged tensors and sparse tensors. */
export interface AnsweredFields {
  readonly nodes: Readonly<Record<string, object>>;
  readonly ragged: Readonly<Record<string, unknown>>;
  readonly sparse: Readonly<Record<string, unknown>>;
}

/** Runs a query with our code. Resolves to the answer in the notation of the test vectors. */
export async function ourAnswer({ type, records, query, paths }: QueryCase): Promise<Answer> {
  try {
    const expression = query.reduce(applyStep, fromProto(records, type));
    const plan = await createQueryPlan([expression.project(paths.filter((path) => path !== ""))]);
    return fieldsOf(plan.calculate().prensors[0]!, paths);
  } catch (error) {
    if (!isTfxioError(error)) throw error;
    return { error: `${error.code}/${error.reason ?? ""}` };
  }
}

function fieldsOf(prensor: Prensor, paths: readonly string[]): AnsweredFields {
  const nodes: Record<string, object> = {};
  const ragged: Record<string, unknown> = {};
  const sparse: Record<string, unknown> = {};
  for (const path of paths) {
    const { node } = prensor.get(path);
    if (node.kind !== "leaf") {
      nodes[path] = nodeNotation(node, { node: node.kind, repeated: true });
      continue;
    }
    const { dtype } = node;
    nodes[path] = nodeNotation(node, { node: "leaf", repeated: true, dtype, values: [] });
    ragged[path] = unlessDescending(() => raggedNotation(prensor.ragged(path)));
    const form = { indices: [], values: [], denseShape: [], dtype };
    sparse[path] = unlessDescending(() => sparseNotation(prensor.sparse(path), form));
  }
  return { nodes, ragged, sparse };
}

/**
 * Returns a tensor, or a marker if parent indices decrease. Tensors require ascending order, but copied fields may violate it.
 */
function unlessDescending(make: () => unknown): unknown {
  try {
    return make();
  } catch (error) {
    if (isTfxioError(error, "not-convertible") && error.reason === "parent-order")
      return { descending: true };
    throw error;
  }
}
