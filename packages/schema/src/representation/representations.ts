import { clone, create } from "@bufbuild/protobuf";
import {
  type Schema,
  type TensorRepresentation,
  TensorRepresentationGroupSchema,
  TensorRepresentationSchema,
} from "../generated/tensorflow_metadata/proto/v0/schema_pb.js";
import { assertRepresentations, assertSchema } from "../argument-rules.js";

/** Representations by tensor name. */
export type TensorRepresentations = ReadonlyMap<string, TensorRepresentation>;

/** Name of the default group. */
export const DEFAULT_REPRESENTATION_GROUP = "";

/**
 * The explicit representations of `group`; undefined if the schema lacks the group, which differs from an empty group.
 * Borrows the messages.
 * @see tfx_bsl `GetTensorRepresentationsFromSchema`
 */
export function getTensorRepresentationsFromSchema(
  schema: Schema,
  group: string = DEFAULT_REPRESENTATION_GROUP,
): TensorRepresentations | undefined {
  assertSchema(schema);
  if (!Object.hasOwn(schema.tensorRepresentationGroup, group)) return undefined;
  return new Map(Object.entries(schema.tensorRepresentationGroup[group]?.tensorRepresentation ?? {}));
}

/**
 * Replaces `group` of `schema` with copies of `representations`. Modifies `schema`.
 * @see tfx_bsl `SetTensorRepresentationsInSchema`
 */
export function setTensorRepresentationsInSchema(
  schema: Schema,
  representations: TensorRepresentations,
  group: string = DEFAULT_REPRESENTATION_GROUP,
): void {
  assertRepresentations(representations);
  assertSchema(schema);
  const replacement = create(TensorRepresentationGroupSchema);
  for (const [name, representation] of representations) {
    setOwn(replacement.tensorRepresentation, name, clone(TensorRepresentationSchema, representation));
  }
  setOwn(schema.tensorRepresentationGroup, group, replacement);
}

/** Assigns a key safely, even `__proto__`, which a protobuf map may hold. */
export function setOwn<Value>(record: Record<string, Value>, key: string, value: Value): void {
  Object.defineProperty(record, key, { value, configurable: true, enumerable: true, writable: true });
}
