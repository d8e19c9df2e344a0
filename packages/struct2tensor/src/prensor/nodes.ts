import type { DType, HostArrays } from "@tfxio/tensor-adapter";

/** The batch: one element per record, or per message that a query made the root. */
export interface RootNode {
  readonly kind: "root";
  readonly size: number;
}

/** Messages of one path in a batch. */
export interface ChildNode {
  readonly kind: "child";
  /** False: at most one for each parent. */
  readonly isRepeated: boolean;
  /** int32, one for each message: position of its parent among the parents. Ascending, unless a caller's prensor is not. */
  readonly parentIndex: Int32Array;
  /** The row splits that `parentIndex` follows from, one more than there are parents. Absent if nothing computed them. */
  readonly rowSplits?: Int32Array | undefined;
}

/** Values of one field in a batch. */
export interface LeafNode<D extends DType = DType> {
  readonly kind: "leaf";
  /** False: at most one for each parent. */
  readonly isRepeated: boolean;
  /** int32, one for each value: position of its parent among the parents. */
  readonly parentIndex: Int32Array;
  /** As for {@link ChildNode}. */
  readonly rowSplits?: Int32Array | undefined;
  readonly dtype: D;
  /** One for each entry of `parentIndex`. May be a view of the batch: do not write to it. */
  readonly values: HostArrays[D];
}

/** A node of a prensor. @see struct2tensor `prensor.NodeTensor` */
export type PrensorNode = RootNode | ChildNode | LeafNode;

/** A node below the root. */
export type FieldNode = ChildNode | LeafNode;

/** The number of elements, each of which can be the parent of a child's elements. */
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

/** A type in words, for errors and `explain`: `repeated message`, `optional int64`. */
export function describeType(type: NodeType): string {
  if (type.kind === "root" || type.kind === "subtree") return type.kind;
  return `${type.isRepeated ? "repeated" : "optional"} ${type.kind === "leaf" ? type.dtype : "message"}`;
}
