import type { DType, HostArrays } from "@tfxio/tensor-adapter";

/** The root of a batch: one element per record, or per message after `reroot`. */
export interface RootNode {
  readonly kind: "root";
  readonly size: number;
}

/** The messages at one path in a batch. */
export interface ChildNode {
  readonly kind: "child";
  /** False: at most one for each parent. */
  readonly isRepeated: boolean;
  /** int32, one for each message: the position of its parent. Ascending, except perhaps in a prensor built by the caller. */
  readonly parentIndex: Int32Array;
  /** The row splits equivalent to `parentIndex`, of length parents + 1. Absent if not computed. */
  readonly rowSplits?: Int32Array | undefined;
}

/** The values of one field in a batch. */
export interface LeafNode<D extends DType = DType> {
  readonly kind: "leaf";
  /** False: at most one for each parent. */
  readonly isRepeated: boolean;
  /** int32, one for each value: the position of its parent. */
  readonly parentIndex: Int32Array;
  /** As in {@link ChildNode}. */
  readonly rowSplits?: Int32Array | undefined;
  readonly dtype: D;
  /** One for each entry of `parentIndex`. May borrow buffers of the batch, so do not write to it. */
  readonly values: HostArrays[D];
}

/** A node of a prensor. @see struct2tensor `prensor.NodeTensor` */
export type PrensorNode = RootNode | ChildNode | LeafNode;

/** A node below the root. */
export type FieldNode = ChildNode | LeafNode;

/** The number of elements of a node. */
export function numElements(node: PrensorNode): number {
  if (node.kind === "root") return node.size;
  return node.rowSplits?.at(-1) ?? node.parentIndex.length;
}

/** Type of a node: its kind, cardinality and dtype. */
export type NodeType =
  | { readonly kind: "root" }
  | { readonly kind: "child"; readonly isRepeated: boolean }
  | { readonly kind: "leaf"; readonly isRepeated: boolean; readonly dtype: DType }
  | { readonly kind: "subtree" };

/** The type of a node below the root. */
export type FieldType = Exclude<NodeType, { readonly kind: "root" | "subtree" }>;

/** Text for errors and `explain`, such as `repeated message` or `optional int64`. */
export function describeType(type: NodeType): string {
  if (type.kind === "root" || type.kind === "subtree") return type.kind;
  return `${type.isRepeated ? "repeated" : "optional"} ${type.kind === "leaf" ? type.dtype : "message"}`;
}
