import { flatValues, listElements } from "@tfxio/arrow-encoding";
import { ColumnPath, type TensorRepresentation_VarLenSparseTensor } from "@tfxio/schema";
import type { Schema as ArrowSchema, RecordBatch } from "apache-arrow";
import { listDType } from "./column-type.js";
import { PACK, type PackedSparse, type PackingHandler, unpacked } from "./packed-column.js";
import { assertNoNull, columnRows } from "./tensor-handler.js";
import { SparseTensorSpec } from "../type-spec.js";

/**
 * Creates the handler for rows of any length, whose values are indexed by `[row, position]`. The tensor is as wide as the longest
 * row. Null and empty rows have no values.
 */
export function varLenSparseHandler(
  { columnName }: TensorRepresentation_VarLenSparseTensor,
  schema: ArrowSchema,
): PackingHandler {
  const dtype = listDType(schema, columnName);
  const pack = (batch: RecordBatch): PackedSparse => {
    const { rowSplits, elements } = listElements(columnRows(batch, columnName));
    assertNoNull(elements, [rowSplits], columnName);
    return { kind: "packed-sparse", dtype, rowSplits, ...flatValues(elements) };
  };
  return {
    typeSpec: new SparseTensorSpec([null, null], dtype),
    sourceColumns: [new ColumnPath([columnName])],
    [PACK]: pack,
    toHost: (batch) => unpacked(pack(batch)),
  };
}
