import { clone, create } from "@bufbuild/protobuf";
import { ColumnPath } from "../column-path.js";
import {
  type Schema,
  type TensorRepresentation,
  TensorRepresentationGroupSchema,
  TensorRepresentationSchema,
} from "../generated/tensorflow_metadata/proto/v0/schema_pb.js";
import { DEFAULT_REPRESENTATION_GROUP, setOwn } from "../representation/representations.js";
import { getSourceColumns } from "../representation/source-columns.js";

/**
 * Returns the explicit representation of a feature's own tensor: the tensor in the default group that has the feature's name and
 * reads only the feature's column. Undefined if there is none. The result is borrowed from `schema`.
 */
export function ownRepresentation(schema: Schema, name: string): TensorRepresentation | undefined {
  const representation = representationNamed(schema, name);
  return representation !== undefined && isMadeOf(representation, name) ? representation : undefined;
}

/**
 * Returns the explicit representation of the tensor `name` in the default group, whatever columns it reads. The result is
 * borrowed from `schema`.
 */
export function representationNamed(schema: Schema, name: string): TensorRepresentation | undefined {
  const groups = schema.tensorRepresentationGroup;
  const group = Object.hasOwn(groups, DEFAULT_REPRESENTATION_GROUP)
    ? groups[DEFAULT_REPRESENTATION_GROUP]?.tensorRepresentation
    : undefined;
  return group !== undefined && Object.hasOwn(group, name) ? group[name] : undefined;
}

/**
 * Sets the representation of a feature's own tensor to a copy of `representation`, or removes it if `representation` is
 * undefined. Modifies `schema`, but leaves tensors with other names unchanged.
 */
export function setOwnRepresentation(
  schema: Schema,
  name: string,
  representation: TensorRepresentation | undefined,
): void {
  const groups = schema.tensorRepresentationGroup;
  if (representation !== undefined) {
    if (!Object.hasOwn(groups, DEFAULT_REPRESENTATION_GROUP)) {
      setOwn(groups, DEFAULT_REPRESENTATION_GROUP, create(TensorRepresentationGroupSchema));
    }
    const group = groups[DEFAULT_REPRESENTATION_GROUP];
    if (group !== undefined) setOwn(group.tensorRepresentation, name, madeOf(representation, name));
  } else if (ownRepresentation(schema, name) !== undefined) {
    const group = groups[DEFAULT_REPRESENTATION_GROUP];
    delete group?.tensorRepresentation[name];
    // Readers do not treat an empty group like a missing one, so remove the group together with its last tensor.
    if (isEmpty(group?.tensorRepresentation ?? {})) delete groups[DEFAULT_REPRESENTATION_GROUP];
  }
}

function isEmpty(record: object): boolean {
  for (const key in record) if (Object.hasOwn(record, key)) return false;
  return true;
}

/** Returns whether the column `name` is the only source column of the tensor. */
function isMadeOf(representation: TensorRepresentation, name: string): boolean {
  const [column, ...others] = getSourceColumns(representation);
  return column !== undefined && others.length === 0 && column.equals(ColumnPath.of(name));
}

/** Copies a single-column representation and makes the copy read the column `name`. */
function madeOf(representation: TensorRepresentation, name: string): TensorRepresentation {
  const copy = clone(TensorRepresentationSchema, representation);
  if (isMadeOf(copy, name)) return copy;
  const { kind } = copy;
  if (kind.case === "raggedTensor") kind.value.featurePath = ColumnPath.of(name).toProto();
  else if (kind.case === "denseTensor" || kind.case === "varlenSparseTensor") kind.value.columnName = name;
  else if (kind.case === "sparseTensor") kind.value.valueColumnName = name;
  return copy;
}
