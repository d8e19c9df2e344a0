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
  /** The serialized messages. Present only in the values of `payload` and `transform` nodes. */
  readonly payloads?: BytesColumn | undefined;
}

/** The fields that one callback or model call computes together. */
export interface SubtreeValue {
  readonly kind: "subtree";
  readonly prensor: Prensor;
}

/** The computed value of a graph node. */
export type NodeValue = RootNode | MessageValue | LeafNode | SubtreeValue;
