import type { GraphNode } from "../expression/graph-node.js";
import type { LeafNode, RootNode } from "../prensor/nodes.js";
import type { MessageValue, NodeValue, SubtreeValue } from "./node-value.js";

/** An operator of the query graph. Stateless: everything it needs is in the node and its inputs. */
export interface Operator {
  /** Name of the operator, as in {@link GraphNode.op}. */
  readonly op: string;
  /** Computes the value of `node`. @param inputs values of `node.inputs`, checked against their types. */
  calculate(inputs: readonly NodeValue[], node: GraphNode): NodeValue;
}

/**
 * Returns the input at `index`, which must be a leaf. Like the functions below, throws an internal error for any other kind.
 */
export function leafAt(inputs: readonly NodeValue[], index: number): LeafNode {
  return inputOf(inputs, index, "leaf");
}

/** Returns the input at `index`, which must be messages. */
export function messageAt(inputs: readonly NodeValue[], index: number): MessageValue {
  return inputOf(inputs, index, "child");
}

/** Returns the input at `index`, which must be a field: messages or a leaf. */
export function fieldAt(inputs: readonly NodeValue[], index: number): MessageValue | LeafNode {
  const input = inputs[index];
  if (input?.kind === "leaf" || input?.kind === "child") return input;
  throw new Error(`Input ${index} must be a field, found ${input?.kind}.`);
}

/** Returns the input at `index`, which must be the root or messages. */
export function parentAt(inputs: readonly NodeValue[], index: number): RootNode | MessageValue {
  const input = inputs[index];
  if (input?.kind === "root" || input?.kind === "child") return input;
  throw new Error(`Input ${index} must be the root or messages, found ${input?.kind}.`);
}

/** Returns the input at `index`, which must be a subtree. */
export function subtreeAt(inputs: readonly NodeValue[], index: number): SubtreeValue {
  return inputOf(inputs, index, "subtree");
}

function inputOf<Kind extends NodeValue["kind"]>(
  inputs: readonly NodeValue[],
  index: number,
  kind: Kind,
): Extract<NodeValue, { readonly kind: Kind }> {
  const input = inputs[index];
  if (input?.kind === kind) return input as Extract<NodeValue, { readonly kind: Kind }>;
  throw new Error(`Input ${index} must be of kind ${kind}, found ${input?.kind}.`);
}
