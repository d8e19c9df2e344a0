import {
  columnElements,
  flatValues,
  listColumn,
  listElements,
  type NumberArray,
  nullMask,
} from "@tfxio/arrow-encoding";
import { ColumnPath, type TensorRepresentation_DenseTensor } from "@tfxio/schema";
import { ConversionError } from "@tfxio/wire";
import { arrayKernels } from "@tfxio/wire/kernels";
import { type Schema as ArrowSchema, type Data, DataType, type RecordBatch } from "apache-arrow";
import { listDType } from "./column-type.js";
import { allocated } from "../host/allocated.js";
import { assertLaidOut } from "../host/assert-laid-out.js";
import { checkedDefault, type DefaultValue } from "../host/default-value.js";
import { type HostDense, MAX_ELEMENTS } from "../host/host-column.js";
import { PACK, type PackedDense, type PackingHandler, unpacked } from "./packed-column.js";
import { sizeOf } from "../rows/row-of-value.js";
import type { DensePolicies } from "../rows/row-policies.js";
import { assertNoNull, columnRows, noHandler, rowShapeError } from "./tensor-handler.js";
import { TensorSpec } from "../type-spec.js";

/**
 * Creates the handler for rows of one shape, from a column with one level of lists. The values are a view of the batch unless
 * null rows are filled, rows are padded or truncated, or the type of the column requires a copy. Null rows become the default
 * value; without one, they are an error. Empty, short and long rows are errors too, unless a policy allows them. Null and empty
 * rows are valid if a dimension of the shape is 0. Unlike tfx_bsl, which compares only the total number of values, this handler
 * checks every row.
 * @throws {ConversionError} `not-convertible` (`no-handler`) if the shape or the column's type is unsuitable.
 * @throws {SchemaError} `schema-invalid` (`bad-default`).
 */
export function denseHandler(
  { columnName, shape, defaultValue }: TensorRepresentation_DenseTensor,
  schema: ArrowSchema,
  { onEmpty, onShort, onLong }: DensePolicies,
): PackingHandler {
  const dtype = listDType(schema, columnName);
  const rowShape = (shape?.dim ?? []).map(({ size }) => {
    if (size < 0n || size > MAX_ELEMENTS) {
      throw noHandler(
        `A dense shape cannot have a dimension of ${size}; sizes must be from 0 to ${MAX_ELEMENTS}.`,
        columnName,
      );
    }
    return Number(size);
  });
  const rowSize = sizeOf(rowShape);
  const innerSize = sizeOf(rowShape.slice(1));
  const fill = defaultValue && checkedDefault(defaultValue, dtype, columnName);

  /** Returns true if a non-null row must be padded or truncated. Throws `row-shape` if the policies do not allow it. */
  const needsFitting = (length: number, row: number): boolean => {
    if (length === rowSize) return false;
    const isFitted =
      length === 0
        ? onEmpty === "default"
        : length % innerSize === 0 && (length < rowSize ? onShort === "pad" : onLong === "truncate");
    if (!isFitted) throw rowShapeError(hasLength(length, rowShape, rowSize), columnName, row);
    return true;
  };

  const pack = (batch: RecordBatch): HostDense | PackedDense => {
    const rows = columnRows(batch, columnName);
    const numRows = rows.length;
    const shapeOfBatch = [numRows, ...rowShape];
    if (numRows * rowSize > MAX_ELEMENTS) {
      throw new ConversionError(
        "out-of-range",
        `A tensor of shape [${shapeOfBatch.join(", ")}] is too large; the maximum is ${MAX_ELEMENTS} elements. Request smaller batches.`,
        {
          reason: "batch-too-large",
          columnPath: columnName,
        },
      );
    }
    const filled = fill === undefined ? undefined : filledRows(rows.data, rowSize, fill);
    if (filled !== undefined) {
      return { kind: "dense", dtype, shape: shapeOfBatch, values: filled, borrowed: false };
    }
    const { rowSplits, elements } = listElements(rows);
    const isNull = nullMask(rows);
    let fits = true;
    for (let row = 0; row < numRows; row++) {
      const length = (rowSplits[row + 1] as number) - (rowSplits[row] as number);
      if (isNull?.[row] === 1) {
        if (fill === undefined && rowSize > 0) throw rowShapeError(isAbsent(rowShape), columnName, row);
        fits = false;
      } else if (needsFitting(length, row)) fits = false;
    }
    assertNoNull(elements, [rowSplits], columnName);
    const { values, borrowed } = flatValues(elements);
    if (fits) return { kind: "dense", dtype, shape: shapeOfBatch, values, borrowed };
    return { kind: "packed-dense", dtype, shape: shapeOfBatch, values, rowSplits, fill };
  };

  return {
    typeSpec: new TensorSpec([null, ...rowShape], dtype),
    sourceColumns: [new ColumnPath([columnName])],
    [PACK]: pack,
    toHost: (batch) => {
      const column = pack(batch);
      return column.kind === "dense" ? column : unpacked(column);
    },
  };
}

function isAbsent(rowShape: readonly number[]): string {
  return `is null, but the dense representation of shape [${rowShape.join(", ")}] has no default value`;
}

function hasLength(length: number, rowShape: readonly number[], rowSize: number): string {
  return `has ${length} values; shape [${rowShape.join(", ")}] takes ${rowSize}`;
}

/**
 * Copies the values of a numeric list column in one pass, with the default in place of the values of null rows. Requires that
 * every row, even a null row, has `rowSize` values, as in FixedSizeList, and that no value is null. Returns undefined for any
 * other column, for columns without null rows, and if `rowSize` is 0.
 */
function filledRows(data: Data, rowSize: number, fill: DefaultValue): NumberArray | undefined {
  if (data.nullCount === 0 || rowSize === 0) return undefined;
  const { rowSplits, values } = listColumn(data);
  const { type, nullCount } = values;
  if (nullCount > 0 || (!DataType.isInt(type) && !DataType.isFloat(type))) return undefined;
  const first = rowSplits[0] as number;
  for (let row = 1; row < rowSplits.length; row++) {
    if (rowSplits[row] !== first + row * rowSize) return undefined;
  }
  const whole = flatValues(columnElements(values)).values as NumberArray;
  const hidden = whole.subarray(first, rowSplits.at(-1));
  const filled = allocated(hidden.constructor as new (length: number) => NumberArray, hidden.length);
  const number = fill as number | bigint;
  assertLaidOut(arrayKernels().fillNulls(hidden, rowSize, data.nullBitmap, data.offset, number, filled));
  return filled;
}
