import type { BytesColumn } from "@tfxio/arrow-encoding";
import type { ChildNode, LeafNode, RootNode } from "../prensor/nodes.js";
import type { Prensor } from "../prensor/prensor.js";

/** A selection of another node's elements. Nodes below can then be selected in the same way. */
export interface Taken {
  /** Position of each element in the original node. */
  readonly origin: Int32Array;
}

/** Messages as values of graph nodes. */
export interface MessageValue extends ChildNode, Partial<Taken> {
  /** The serialized messages, present only where a transform needs them. */
  readonly payloads?: BytesColumn | undefined;
}

/** Several nodes at once, returned by a callback or a model. */
export interface SubtreeValue {
  readonly kind: "subtree";
  readonly prensor: Prensor;
}

/** Computed value of a graph node. */
export type NodeValue = RootNode | MessageValue | LeafNode | SubtreeValue;
