import { nodeOn } from "../../checkpoint/plan-node.js";
import { ArgumentError } from "@tfxio/wire";
import { type Rule, rule } from "@tfxio/wire/checks";
import type { Plan, TensorFlow } from "../../plan.js";
import {
  componentsOf,
  isHostColumn,
  isTensor,
  mapLeaves,
  tensorsOf,
  tuple,
} from "../../columns/structure.js";
import { transformPlan } from "./map.js";

/** Name (dict) or index (tuple) of a component, or a non-empty list of them. */
export type ComponentSelection = string | number | readonly (string | number)[];

/** Settings of `Dataset.toXY`. */
export interface XYSelection {
  /** Undefined to select all components that `ys` does not select. */
  readonly xs: ComponentSelection | undefined;
  readonly ys: ComponentSelection;
  /** True to keep labels of shape [n]. False to reshape them to [n, 1]. */
  readonly keepRank: boolean;
}

const isKey = (key: unknown): boolean => typeof key === "string" || typeof key === "number";

/** Accepts a {@link ComponentSelection}. */
export const aComponentSelection: Rule = rule(
  "the name or index of a component, or a non-empty list of them",
  (value) => (Array.isArray(value) ? value.length > 0 && value.every(isKey) : isKey(value)),
);

/** Replaces every batch with `{ xs, ys }`, as `fitDataset` expects. Disposes the tensors of all other components. */
export function toXYPlan(upstream: Plan, selection: XYSelection): Plan {
  const node = nodeOn(upstream, "toXY", [selection.xs ?? null, selection.ys, selection.keepRank]);
  return transformPlan(upstream, node, (batch) => toXY(batch, selection, upstream.tf));
}

function toXY(batch: unknown, { xs, ys, keepRank }: XYSelection, tf: TensorFlow | undefined): unknown {
  const components = componentsOf(batch);
  if (components === undefined) {
    throw new ArgumentError(
      "invalid-argument",
      "toXY: the element has no components, but must be a dict or a tuple.",
    );
  }
  const byKey = new Map(components);
  const labels = select(byKey, ys, "ys");
  const labelKeys = new Set(keysOf(ys));
  const features = select(byKey, xs ?? [...byKey.keys()].filter((key) => !labelKeys.has(key)), "xs");
  const owned = new Set(tensorsOf(features));
  return {
    xs: features,
    ys: mapLeaves(labels, (leaf) => {
      const label = keepRank ? leaf : asMatrix(leaf, tf);
      // fitDataset disposes xs and ys separately, so a tensor in both must be cloned.
      return isTensor(label) && owned.has(label) ? label.clone() : label;
    }),
  };
}

/** Returns the selected component. For a list, returns a tuple if all keys are indices, and otherwise a dict. */
function select(
  components: ReadonlyMap<string, unknown>,
  selection: ComponentSelection,
  argument: string,
): unknown {
  const pick = (key: string | number): unknown => {
    if (components.has(String(key))) return components.get(String(key));
    throw new ArgumentError(
      "invalid-argument",
      `toXY: ${argument} names "${key}", but elements have these components: ${[...components.keys()].join(", ") || "none"}.`,
      { argument },
    );
  };
  if (!isList(selection)) return pick(selection);
  if (selection.length > 0 && selection.every((key) => typeof key === "number"))
    return tuple(...selection.map(pick));
  return Object.fromEntries(selection.map((key) => [key, pick(key)]));
}

function keysOf(selection: ComponentSelection): readonly string[] {
  return isList(selection) ? selection.map(String) : [String(selection)];
}

function isList(selection: ComponentSelection): selection is readonly (string | number)[] {
  return Array.isArray(selection);
}

/**
 * Reshapes a tensor or dense column of shape [n] to [n, 1], and returns any other leaf unchanged. If a model's output has shape
 * [n, 1], TensorFlow.js would silently broadcast labels of shape [n] to [n, n].
 */
function asMatrix(leaf: unknown, tf: TensorFlow | undefined): unknown {
  if (isHostColumn(leaf)) {
    return leaf.kind === "dense" && leaf.shape.length === 1 ? { ...leaf, shape: [...leaf.shape, 1] } : leaf;
  }
  if (!isTensor(leaf) || leaf.rank !== 1) return leaf;
  if (tf === undefined) {
    throw new ArgumentError(
      "invalid-argument",
      "toXY: elements must not contain tensors before withTensors. To reshape tensors, call withTensors({ tf }) first.",
    );
  }
  return tf.reshape(leaf, [-1, 1]);
}
