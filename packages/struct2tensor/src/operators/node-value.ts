import type { BytesColumn } from "@tfxio/arrow-encoding";
import type { ChildNode, LeafNode, RootNode } from "../prensor/nodes.js";
import type { Prensor } from "../prensor/prensor.js";

/** Elements that an operator took from another node's, so that those below can be taken in the same way. */
export interface Taken {
  /** Position of each element among the original's. */
  readonly origin: Int32Array;
}

/** Messages as the nodes of a graph exchange them. */
export interface MessageValue extends ChildNode, Partial<Taken> {
  /** Serialized form, where a transform needs it. */
  readonly payloads?: BytesColumn | undefined;
}

/** Several nodes at once, as a callback gives them. */
export interface SubtreeValue {
  readonly kind: "subtree";
  readonly prensor: Prensor;
}

/** Computed value of a graph node. */
export type NodeValue = RootNode | MessageValue | LeafNode | SubtreeValue;
