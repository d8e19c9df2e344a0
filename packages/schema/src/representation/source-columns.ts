import { isFieldSet } from "@bufbuild/protobuf";
import { SchemaError } from "@tfxio/wire";
import { ColumnPath } from "../column-path.js";
import {
  type TensorRepresentation,
  TensorRepresentation_SparseTensorSchema,
} from "../generated/tensorflow_metadata/proto/v0/schema_pb.js";
import { assertRepresentation } from "../argument-rules.js";

/**
 * The source columns of a tensor. Dense and variable length: one. Sparse: the index columns in order, then the
 * value column. Ragged: the value column, then for each `row_length` partition its column, a sibling of the value
 * column. No kind set: none.
 * @see tfx_bsl `GetSourceColumnsFromTensorRepresentation`
 */
export function getSourceColumns(representation: TensorRepresentation): readonly ColumnPath[] {
  assertRepresentation(representation);
  const { kind } = representation;
  switch (kind.case) {
    case "denseTensor":
    case "varlenSparseTensor":
      return [ColumnPath.of(kind.value.columnName)];
    case "sparseTensor": {
      const columns = kind.value.indexColumnNames.map((name) => ColumnPath.of(name));
      if (isFieldSet(kind.value, TensorRepresentation_SparseTensorSchema.field.valueColumnName)) {
        columns.push(ColumnPath.of(kind.value.valueColumnName));
      }
      return columns;
    }
    case "raggedTensor": {
      const valuePath = new ColumnPath(kind.value.featurePath?.step ?? []);
      const rowLengths = kind.value.partition.flatMap(({ kind: partition }) =>
        partition.case === "rowLength" ? [sibling(valuePath, partition.value)] : [],
      );
      return [valuePath, ...rowLengths];
    }
    case undefined:
      return [];
  }
}

/**
 * The one column that holds the tensor's values.
 * @throws {SchemaError} `schema-invalid`, reason `representation`, when no kind is set.
 * @see tfx_bsl `GetSourceValueColumnFromTensorRepresentation`
 */
export function getSourceValueColumn(representation: TensorRepresentation): ColumnPath {
  assertRepresentation(representation);
  const { kind } = representation;
  switch (kind.case) {
    case "denseTensor":
    case "varlenSparseTensor":
      return ColumnPath.of(kind.value.columnName);
    case "sparseTensor":
      return ColumnPath.of(kind.value.valueColumnName);
    case "raggedTensor":
      return new ColumnPath(kind.value.featurePath?.step ?? []);
    case undefined:
      throw new SchemaError(
        "schema-invalid",
        "the tensor representation has no kind; expected dense_tensor, varlen_sparse_tensor, sparse_tensor or ragged_tensor",
        { reason: "representation" },
      );
  }
}

function sibling(path: ColumnPath, name: string): ColumnPath {
  return path.length === 0 ? ColumnPath.of(name) : path.parent().child(name);
}
