import { clone, create } from "@bufbuild/protobuf";
import { ColumnPath } from "../column-path.js";
import {
  type Schema,
  type TensorRepresentation,
  TensorRepresentationGroupSchema,
  TensorRepresentationSchema,
} from "../generated/tensorflow_metadata/proto/v0/schema_pb.js";
import {
  DEFAULT_REPRESENTATION_GROUP,
  getTensorRepresentationsFromSchema,
  setOwn,
} from "../representation/representations.js";
import { getSourceColumns } from "../representation/source-columns.js";

/**
 * The explicit representation that is a feature's own: of the tensor of its name in the default group, made of its
 * column and no other. Undefined when there is none. Borrowed.
 */
export function ownRepresentation(schema: Schema, name: string): TensorRepresentation | undefined {
  const representation = getTensorRepresentationsFromSchema(schema)?.get(name);
  return representation !== undefined && isMadeOf(representation, name) ? representation : undefined;
}

/** Makes `representation`, or none, the feature's own. Changes `schema`; other tensors stay. */
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
    // A group without tensors is not the same as no group; it was there for this one only.
    if (Object.keys(group?.tensorRepresentation ?? {}).length === 0)
      delete groups[DEFAULT_REPRESENTATION_GROUP];
  }
}

function isMadeOf(representation: TensorRepresentation, name: string): boolean {
  const [column, ...others] = getSourceColumns(representation);
  return column !== undefined && others.length === 0 && column.equals(ColumnPath.of(name));
}

/** A copy of a representation of one column, made of the column `name`. */
function madeOf(representation: TensorRepresentation, name: string): TensorRepresentation {
  const copy = clone(TensorRepresentationSchema, representation);
  if (isMadeOf(copy, name)) return copy;
  const { kind } = copy;
  if (kind.case === "raggedTensor") kind.value.featurePath = ColumnPath.of(name).toProto();
  else if (kind.case === "denseTensor" || kind.case === "varlenSparseTensor") kind.value.columnName = name;
  else if (kind.case === "sparseTensor") kind.value.valueColumnName = name;
  return copy;
}
