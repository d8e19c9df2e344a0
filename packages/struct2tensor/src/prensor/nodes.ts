import type { DType, HostArrays } from "@tfxio/tensor-adapter";

/** The root of a batch: one element per row of the source, or per message after `reroot`. */
export interface RootNode {
  readonly kind: "root";
  /** Number of rows. */
  readonly size: number;
}

/** The messages at one path in a batch. */
export interface ChildNode {
  readonly kind: "child";
  /** True if a parent may have any number of messages, false if at most one. */
  readonly isRepeated: boolean;
  /** Position of each message's parent, int32. Ascending, unless a caller built the prensor in another order. */
  readonly parentIndex: Int32Array;
  /** The row splits that correspond to `parentIndex`, int32: one more entry than there are parents. Absent if not computed. */
  readonly rowSplits?: Int32Array | undefined;
}

/** The values of one field in a batch. */
export interface LeafNode<D extends DType = DType> {
  readonly kind: "leaf";
  /** True if a parent may have any number of values, false if at most one. */
  readonly isRepeated: boolean;
  /** Position of each value's parent, int32. Ordered as in {@link ChildNode}. */
  readonly parentIndex: Int32Array;
  /** As in {@link ChildNode}. */
  readonly rowSplits?: Int32Array | undefined;
  readonly dtype: D;
  /** One value for each entry of `parentIndex`. May borrow buffers of the batch, so do not write to it. */
  readonly values: HostArrays[D];
}

/** A node of a prensor. @see struct2tensor `prensor.NodeTensor` */
export type PrensorNode = RootNode | ChildNode | LeafNode;

/** A node below the root. */
export type FieldNode = ChildNode | LeafNode;

/** Returns the number of rows of a root, or the number of messages or values of a field. */
export function numElements(node: PrensorNode): number {
  if (node.kind === "root") return node.size;
  // `parentIndex` may be a getter that computes the array, so prefer the row splits.
  return node.rowSplits?.at(-1) ?? node.parentIndex.length;
}

/**
 * Type of a node: its kind, cardinality and dtype. A `subtree` is a set of fields that one callback or model call computes
 * together.
 */
export type NodeType =
  | { readonly kind: "root" }
  | { readonly kind: "child"; readonly isRepeated: boolean }
  | { readonly kind: "leaf"; readonly isRepeated: boolean; readonly dtype: DType }
  | { readonly kind: "subtree" };

/** The type of a node below the root. */
export type FieldType = Exclude<NodeType, { readonly kind: "root" | "subtree" }>;

/** Describes a type for errors and `explain`, such as `repeated message` or `optional int64`. */
export function describeType(type: NodeType): string {
  if (type.kind === "root" || type.kind === "subtree") return type.kind;
  return `${type.isRepeated ? "repeated" : "optional"} ${type.kind === "leaf" ? type.dtype : "message"}`;
}
