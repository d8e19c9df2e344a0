import { nodeOn } from "../../checkpoint/plan-node.js";
import {
  FLOAT64_POLICIES,
  type Float64Policy,
  INT64_POLICIES,
  type Int64Policy,
  type PerTensor,
  toTensor,
} from "@tfxio/tensor-adapter";
import { assertOptions, membersOf, oneOf, orByName, required, rule } from "@tfxio/wire/checks";
import { hostOfLeaf, placeOfLeaf } from "../../columns/host-leaf.js";
import type { Plan, TensorFlow } from "../../plan.js";
import { disposeElements, mapLeaves } from "../../columns/structure.js";
import { transformPlan } from "./map.js";

/** Options of `Dataset.withTensors`. */
export interface TensorSettings {
  /** Your TensorFlow.js module, with its backend set. This package does not import TensorFlow.js. */
  readonly tf: TensorFlow;
  /**
   * Policy for int64, uint64 and uint32, for all components or by path. Default `"int32"`, which rejects values outside int32.
   */
  readonly int64?: PerTensor<Int64Policy> | undefined;
  /**
   * Policy for float64, for all components or by path. Default `"float32"`, which rejects values that float32 cannot hold
   * exactly.
   */
  readonly float64?: PerTensor<Float64Policy> | undefined;
}

/** Options without the policy `"host"`, so that every component becomes a tensor. */
export interface TensorOnlySettings extends TensorSettings {
  readonly int64?: PerTensor<Exclude<Int64Policy, "host">> | undefined;
  readonly float64?: PerTensor<Exclude<Float64Policy, "host">> | undefined;
}

/**
 * Converts host values to tensors, and makes `tf` available to later operators.
 * @throws {ArgumentError} `invalid-argument` if `tf` is not TensorFlow.js, and for unknown policies.
 */
export function withTensorsPlan(upstream: Plan, settings: TensorSettings): Plan {
  assertOptions("withTensors", settings, {
    tf: required(
      rule(
        "the TensorFlow.js module, with a function `tensor`",
        (tf) => typeof membersOf(tf)["tensor"] === "function",
      ),
    ),
    int64: orByName(oneOf(...INT64_POLICIES)),
    float64: orByName(oneOf(...FLOAT64_POLICIES)),
  });
  const node = nodeOn(upstream, "withTensors");
  return {
    ...transformPlan(upstream, node, (element, elementIndex) => withTensors(element, elementIndex, settings)),
    tf: settings.tf,
  };
}

/** Converts the host values of one element. If a conversion fails, disposes the tensors that were already made. */
function withTensors(
  element: unknown,
  elementIndex: number,
  { tf, int64, float64 }: TensorSettings,
): unknown {
  const made: unknown[] = [];
  try {
    return mapLeaves(element, (leaf, path) => {
      const host = hostOfLeaf(leaf, () => placeOfLeaf("withTensors", path, elementIndex));
      if (host === undefined) return leaf;
      const tensor = toTensor(host, {
        tf,
        int64: policyFor(int64, path),
        float64: policyFor(float64, path),
        tensorName: path,
      });
      made.push(tensor);
      return tensor;
    });
  } catch (error) {
    disposeElements(made);
    throw error;
  }
}

function policyFor<Policy extends string>(
  policies: PerTensor<Policy> | undefined,
  path: string,
): Policy | undefined {
  if (typeof policies !== "object") return policies;
  return Object.hasOwn(policies, path) ? policies[path] : undefined;
}
