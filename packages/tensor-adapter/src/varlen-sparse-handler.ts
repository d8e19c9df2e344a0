import { flatValues, listElements } from "@tfxio/arrow-encoding";
import { ColumnPath, type TensorRepresentation_VarLenSparseTensor } from "@tfxio/schema";
import type { Schema as ArrowSchema } from "apache-arrow";
import { listDType } from "./column-type.js";
import { assertNoNull, columnRows, type TensorHandler } from "./tensor-handler.js";
import { SparseTensorSpec } from "./type-spec.js";

/** Rows of any length as `[row, position]` to value, as wide as the longest row. Null and empty rows hold nothing. */
export function varLenSparseHandler(
  { columnName }: TensorRepresentation_VarLenSparseTensor,
  schema: ArrowSchema,
): TensorHandler {
  const dtype = listDType(schema, columnName);
  return {
    typeSpec: new SparseTensorSpec([null, null], dtype),
    sourceColumns: [new ColumnPath([columnName])],
    toHost: (batch) => {
      const { rowSplits, elements } = listElements(columnRows(batch, columnName));
      assertNoNull(elements, [rowSplits], columnName);
      const { indices, longest } = rowPositions(rowSplits);
      const denseShape = [rowSplits.length - 1, longest];
      return { kind: "sparse", dtype, indices, denseShape, ...flatValues(elements) };
    },
  };
}

/** `[row, position]` of every value, flat, and the length of the longest row. */
function rowPositions(rowSplits: Int32Array): { indices: Int32Array; longest: number } {
  const indices = new Int32Array(2 * (rowSplits.at(-1) as number));
  let longest = 0;
  let at = 0;
  for (let row = 0; row + 1 < rowSplits.length; row++) {
    const length = (rowSplits[row + 1] as number) - (rowSplits[row] as number);
    if (length > longest) longest = length;
    for (let position = 0; position < length; position++) {
      indices[at++] = row;
      indices[at++] = position;
    }
  }
  return { indices, longest };
}
