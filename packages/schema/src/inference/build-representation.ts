import { create } from "@bufbuild/protobuf";
import type { ColumnPath } from "../column-path.js";
import {
  type FixedShape,
  type TensorRepresentation,
  type TensorRepresentation_DefaultValue,
  type TensorRepresentation_SparseTensor,
  TensorRepresentationSchema,
} from "../generated/tensorflow_metadata/proto/v0/schema_pb.js";

/** Creates the representation of a dense tensor of one column. `defaultValue` fills rows without the feature. */
export function denseRepresentation(
  columnName: string,
  shape: FixedShape,
  defaultValue?: TensorRepresentation_DefaultValue,
): TensorRepresentation {
  return create(TensorRepresentationSchema, {
    kind: {
      case: "denseTensor",
      value: { columnName, shape, ...(defaultValue !== undefined && { defaultValue }) },
    },
  });
}

/** Creates the representation of a sparse tensor that holds the values of one column, left-aligned in each row. */
export function varLenSparseRepresentation(columnName: string): TensorRepresentation {
  return create(TensorRepresentationSchema, { kind: { case: "varlenSparseTensor", value: { columnName } } });
}

/** Creates the representation of a sparse tensor that joins index columns and a value column. */
export function sparseRepresentation(sparse: TensorRepresentation_SparseTensor): TensorRepresentation {
  return create(TensorRepresentationSchema, { kind: { case: "sparseTensor", value: sparse } });
}

/** Creates the representation of a ragged tensor whose only partitions are the lists of the column. */
export function raggedRepresentation(path: ColumnPath): TensorRepresentation {
  return create(TensorRepresentationSchema, {
    kind: { case: "raggedTensor", value: { featurePath: path.toProto() } },
  });
}
