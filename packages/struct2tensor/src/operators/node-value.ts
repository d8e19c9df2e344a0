import type { BytesColumn } from "@tfxio/arrow-encoding";
import type { ChildNode, LeafNode, RootNode } from "../prensor/nodes.js";
import type { Prensor } from "../prensor/prensor.js";

/** A selection of another node's elements. `descend` uses it to select the children of these elements. */
export interface Taken {
  /** Position of each element in the original node. */
  readonly origin: Int32Array;
}

/** Value of a graph node whose elements are messages. */
export interface MessageValue extends ChildNode, Partial<Taken> {
  /** The serialized messages. Present only if a transform needs them. */
  readonly payloads?: BytesColumn | undefined;
}

/** Several fields at once, returned by a callback or a model. */
export interface SubtreeValue {
  readonly kind: "subtree";
  readonly prensor: Prensor;
}

/** The computed value of a graph node. */
export type NodeValue = RootNode | MessageValue | LeafNode | SubtreeValue;
