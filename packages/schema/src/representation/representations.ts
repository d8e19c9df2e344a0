import { clone, create } from "@bufbuild/protobuf";
import {
  type Schema,
  type TensorRepresentation,
  TensorRepresentationGroupSchema,
  TensorRepresentationSchema,
} from "../generated/tensorflow_metadata/proto/v0/schema_pb.js";
import { assertRepresentations, assertSchema } from "../argument-rules.js";

/** Tensor representations by tensor name. */
export type TensorRepresentations = ReadonlyMap<string, TensorRepresentation>;

/** Name of the representation group that is used if none is named. */
export const DEFAULT_REPRESENTATION_GROUP = "";

/**
 * Returns the explicit representations of `group`: undefined if the schema lacks the group, an empty map if the group is empty.
 * The messages are those of `schema`, not copies.
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
 * Replaces the representations of `group` in `schema` with copies of `representations`. Modifies `schema`.
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

/** Sets an own property of `record`. A protobuf map may hold the key `__proto__`; assigning to it would set the prototype. */
export function setOwn<Value>(record: Record<string, Value>, key: string, value: Value): void {
  Object.defineProperty(record, key, { value, configurable: true, enumerable: true, writable: true });
}
