import { flatValues, listElements, nullMask } from "@tfxio/arrow-encoding";
import type { TensorRepresentation_DenseTensor } from "@tfxio/schema";
import { ConversionError } from "@tfxio/wire";
import type { Schema as ArrowSchema } from "apache-arrow";
import { listDType } from "./column-type.js";
import { checkedDefault } from "./default-value.js";
import { fillNullRows } from "./fill-null-rows.js";
import {
  assertNoNull,
  columnRows,
  MAX_ELEMENTS,
  noHandler,
  rowShapeError,
  type TensorHandler,
} from "./tensor-handler.js";
import { TensorSpec } from "./type-spec.js";

/**
 * Rows of one shape, from a list column of depth one. Zero-copy unless null rows have to be filled.
 * Null rows become the default; without one they are an error, as an empty row always is (unless the shape is empty).
 * Differs from tfx_bsl, which compares the number of values of the whole batch only: here every row has to fit.
 */
export function denseHandler(
  { columnName, shape, defaultValue }: TensorRepresentation_DenseTensor,
  schema: ArrowSchema,
): TensorHandler {
  const dtype = listDType(schema, columnName);
  const rowShape = (shape?.dim ?? []).map(({ size }) => {
    if (size < 0n || size > MAX_ELEMENTS) {
      throw noHandler(`A dense shape cannot have a dimension of ${size}.`, columnName);
    }
    return Number(size);
  });
  const rowSize = rowShape.reduce((product, size) => product * size, 1);
  const fill = defaultValue && checkedDefault(defaultValue, dtype, columnName);
  return {
    typeSpec: new TensorSpec([null, ...rowShape], dtype),
    toHost: (batch) => {
      const rows = columnRows(batch, columnName);
      const numRows = rows.length;
      const shapeOfBatch = [numRows, ...rowShape];
      if (numRows * rowSize > MAX_ELEMENTS) {
        throw new ConversionError(
          "out-of-range",
          `A tensor of shape [${shapeOfBatch.join(", ")}] is too large.`,
          {
            reason: "batch-too-large",
            columnPath: columnName,
          },
        );
      }
      const { rowSplits, elements } = listElements(rows);
      const isNull = nullMask(rows);
      for (let row = 0; row < numRows; row++) {
        const length = (rowSplits[row + 1] as number) - (rowSplits[row] as number);
        if (isNull?.[row] === 1) {
          if (fill === undefined) throw rowShapeError(isAbsent(rowShape), columnName, row);
        } else if (length !== rowSize) {
          throw rowShapeError(hasLength(length, rowShape, rowSize), columnName, row);
        }
      }
      assertNoNull(elements, [rowSplits], columnName);
      const { values, borrowed } = flatValues(elements);
      return isNull === undefined || fill === undefined
        ? { kind: "dense", dtype, shape: shapeOfBatch, values, borrowed }
        : {
            kind: "dense",
            dtype,
            shape: shapeOfBatch,
            values: fillNullRows(values, isNull, rowSize, fill),
            borrowed: false,
          };
    },
  };
}

function isAbsent(rowShape: readonly number[]): string {
  return `is null; shape [${rowShape.join(", ")}] has no default value`;
}

function hasLength(length: number, rowShape: readonly number[], rowSize: number): string {
  return `has ${length} values; shape [${rowShape.join(", ")}] takes ${rowSize}`;
}
