import type { DType } from "@tfxio/tensor-adapter";
import type { NodeType } from "./nodes.js";

/** The fields of a message, keyed by name, each with its cardinality and type. */
export interface MessageSchema {
  readonly [name: string]: FieldSchema;
}

/** A field of a {@link MessageSchema}: a leaf with a type, or a message with fields. */
export type FieldSchema = LeafSchema | SubmessageSchema;

/** A leaf: values of one type. */
export interface LeafSchema {
  readonly dtype: DType;
  /** True if a parent may have any number of values. Default false: at most one. */
  readonly isRepeated?: boolean | undefined;
}

/** A message with fields. */
export interface SubmessageSchema {
  readonly fields: MessageSchema;
  /** True if a parent may have any number of messages. Default false: at most one. */
  readonly isRepeated?: boolean | undefined;
}

/** Returns the node type of a declared field. */
export function typeOfField(field: FieldSchema): Exclude<NodeType, { readonly kind: "root" | "subtree" }> {
  const { isRepeated = false } = field;
  if ("dtype" in field) return { kind: "leaf", isRepeated, dtype: field.dtype };
  return { kind: "child", isRepeated };
}
