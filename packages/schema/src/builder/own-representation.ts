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
 * A feature's own explicit representation: the tensor in the default group that has its name and reads only its column. Undefined
 * if absent. Borrowed.
 */
export function ownRepresentation(schema: Schema, name: string): TensorRepresentation | undefined {
  const representation = representationNamed(schema, name);
  return representation !== undefined && isMadeOf(representation, name) ? representation : undefined;
}

/** The explicit representation of the tensor `name` in the default group, whatever its columns. Borrowed. */
export function representationNamed(schema: Schema, name: string): TensorRepresentation | undefined {
  const groups = schema.tensorRepresentationGroup;
  const group = Object.hasOwn(groups, DEFAULT_REPRESENTATION_GROUP)
    ? groups[DEFAULT_REPRESENTATION_GROUP]?.tensorRepresentation
    : undefined;
  return group !== undefined && Object.hasOwn(group, name) ? group[name] : undefined;
}

/**
 * Sets the feature's own representation, or removes it if `representation` is undefined. Modifies `schema`; other tensors stay.
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
    // An empty group differs from a missing one. This group existed for this tensor alone.
    if (isEmpty(group?.tensorRepresentation ?? {})) delete groups[DEFAULT_REPRESENTATION_GROUP];
  }
}

function isEmpty(record: object): boolean {
  for (const key in record) if (Object.hasOwn(record, key)) return false;
  return true;
}

function isMadeOf(representation: TensorRepresentation, name: string): boolean {
  const [column, ...others] = getSourceColumns(representation);
  return column !== undefined && others.length === 0 && column.equals(ColumnPath.of(name));
}

/** A copy of a single-column representation that reads the column `name` instead. */
function madeOf(representation: TensorRepresentation, name: string): TensorRepresentation {
  const copy = clone(TensorRepresentationSchema, representation);
  if (isMadeOf(copy, name)) return copy;
  const { kind } = copy;
  if (kind.case === "raggedTensor") kind.value.featurePath = ColumnPath.of(name).toProto();
  else if (kind.case === "denseTensor" || kind.case === "varlenSparseTensor") kind.value.columnName = name;
  else if (kind.case === "sparseTensor") kind.value.valueColumnName = name;
  return copy;
}
