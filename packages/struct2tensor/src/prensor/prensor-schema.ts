import type { DType } from "@tfxio/tensor-adapter";
import type { NodeType } from "./nodes.js";

/** The fields of a message by name, with cardinality and type. */
export interface MessageSchema {
  readonly [name: string]: FieldSchema;
}

/** A field of a {@link MessageSchema}: a leaf with a type, or a message with fields. */
export type FieldSchema = LeafSchema | SubmessageSchema;

/** A leaf: values of one type. */
export interface LeafSchema {
  readonly dtype: DType;
  /** Default false: at most one for each parent. */
  readonly isRepeated?: boolean | undefined;
}

/** A message with fields. */
export interface SubmessageSchema {
  readonly fields: MessageSchema;
  /** Default false: at most one for each parent. */
  readonly isRepeated?: boolean | undefined;
}

/** The node type of a declared field. */
export function typeOfField(field: FieldSchema): Exclude<NodeType, { readonly kind: "root" | "subtree" }> {
  const { isRepeated = false } = field;
  if ("dtype" in field) return { kind: "leaf", isRepeated, dtype: field.dtype };
  return { kind: "child", isRepeated };
}
