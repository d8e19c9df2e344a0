import { flatValues, listElements, type NumberArray } from "@tfxio/arrow-encoding";
import { ColumnPath, type TensorRepresentation_SparseTensor } from "@tfxio/schema";
import { ConversionError } from "@tfxio/wire";
import type { Schema as ArrowSchema, RecordBatch } from "apache-arrow";
import { allocated } from "../host/allocated.js";
import { listDType } from "./column-type.js";
import { integerRange } from "../host/dtype.js";
import { rowOf } from "../rows/row-of-value.js";
import { assertNoNull, columnRows, noHandler, rowShapeError, type TensorHandler } from "./tensor-handler.js";
import { SparseTensorSpec } from "../type-spec.js";

/**
 * Creates the handler for values whose positions come from index columns. Values and indices keep their stored order; they are
 * neither sorted nor checked against the declared shape. Without index columns, the result is a 1-D sparse tensor over the
 * rows. In each index column, every row must have one index per value, whereas tfx_bsl compares only total counts.
 * @throws {ConversionError} `not-convertible` (`no-handler`) if the shape or a column does not fit.
 */
export function sparseHandler(
  { denseShape, indexColumnNames, valueColumnName }: TensorRepresentation_SparseTensor,
  schema: ArrowSchema,
): TensorHandler {
  const dtype = listDType(schema, valueColumnName);
  const sizes = (denseShape?.dim ?? []).map(({ size }) => {
    if (size < -1n || size > Number.MAX_SAFE_INTEGER) {
      throw noHandler(
        `A sparse shape cannot have a dimension of ${size}; sizes must be from 0 to 2^53 - 1, or -1 if unknown.`,
        valueColumnName,
      );
    }
    return Number(size);
  });
  if (sizes.length !== indexColumnNames.length) {
    throw noHandler(
      `The dense shape has rank ${sizes.length}, but the number of index columns is ${indexColumnNames.length}.`,
      valueColumnName,
    );
  }
  for (const name of indexColumnNames) {
    const indexType = listDType(schema, name);
    if (integerRange(indexType) === undefined) {
      throw noHandler(`Index column "${name}" must hold integers, found ${indexType}.`, name);
    }
  }
  const rank = 1 + sizes.length;
  return {
    typeSpec: new SparseTensorSpec([null, ...sizes.map((size) => (size === -1 ? null : size))], dtype),
    sourceColumns: [...indexColumnNames, valueColumnName].map((name) => new ColumnPath([name])),
    toHost: (batch) => {
      const { rowSplits, elements } = listElements(columnRows(batch, valueColumnName));
      assertNoNull(elements, [rowSplits], valueColumnName);
      const indices = allocated(Int32Array, rank * elements.length);
      for (let row = 0; row + 1 < rowSplits.length; row++) {
        for (let at = rowSplits[row] as number; at < (rowSplits[row + 1] as number); at++)
          indices[at * rank] = row;
      }
      indexColumnNames.forEach((name, dimension) => {
        const found = indexColumn(batch, name, rowSplits, valueColumnName);
        for (let at = 0; at < found.length; at++) {
          indices[at * rank + 1 + dimension] = int32Index(found[at] as number | bigint, name, at, rowSplits);
        }
      });
      return {
        kind: "sparse",
        dtype,
        indices,
        denseShape: [rowSplits.length - 1, ...sizes],
        ...flatValues(elements),
      };
    },
  };
}

function indexColumn(
  batch: RecordBatch,
  name: string,
  valueSplits: Int32Array,
  valueColumnName: string,
): NumberArray {
  const { rowSplits, elements } = listElements(columnRows(batch, name));
  const mismatch = rowSplits.findIndex((split, index) => split !== valueSplits[index]);
  if (mismatch > 0) {
    const row = mismatch - 1;
    const count = (splits: Int32Array): number => (splits[mismatch] as number) - (splits[row] as number);
    throw rowShapeError(
      `has ${count(rowSplits)} indices for ${count(valueSplits)} values in column "${valueColumnName}"`,
      name,
      row,
    );
  }
  assertNoNull(elements, [rowSplits], name);
  return flatValues(elements).values as NumberArray;
}

function int32Index(index: number | bigint, name: string, position: number, rowSplits: Int32Array): number {
  const int32 = Number(index) | 0;
  // oxlint-disable-next-line eqeqeq -- compares a number with a bigint by value
  if (int32 == index) return int32;
  const row = rowOf(position, [rowSplits]);
  throw new ConversionError(
    "out-of-range",
    `Row ${row} of column "${name}" has index ${index}; indices must fit int32.`,
    { reason: "sparse-index", columnPath: name, row },
  );
}
