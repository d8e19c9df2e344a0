import { isFieldSet } from "@bufbuild/protobuf";
import { SchemaError } from "@tfxio/wire";
import { ColumnPath } from "../column-path.js";
import {
  type TensorRepresentation,
  TensorRepresentation_SparseTensorSchema,
} from "../generated/tensorflow_metadata/proto/v0/schema_pb.js";
import { assertRepresentation } from "../argument-rules.js";

/**
 * Returns the columns that a tensor reads:
 * - a dense or variable-length sparse tensor reads one column;
 * - a sparse tensor reads its index columns in order, then its value column if one is set;
 * - a ragged tensor reads its value column, then the sibling column named by each `row_length` partition;
 * - a representation without a kind reads none.
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
 * Returns the column that holds the tensor's values.
 * @throws {SchemaError} `schema-invalid`, reason `representation`, if the representation has no kind.
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
        "The tensor representation has no kind; expected dense_tensor, varlen_sparse_tensor, sparse_tensor or ragged_tensor.",
        { reason: "representation" },
      );
  }
}

/** Returns `path` with its last step replaced by `name`. */
function sibling(path: ColumnPath, name: string): ColumnPath {
  return path.length === 0 ? ColumnPath.of(name) : path.parent().child(name);
}
