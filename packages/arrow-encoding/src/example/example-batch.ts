import { type ColumnBuffers, type ExampleBatch, FeatureKind } from "@tfxio/wire/kernels";
import {
  Binary,
  Data,
  type DataType,
  type Field,
  Float32,
  Int64,
  Null,
  type RecordBatch,
  type Schema as ArrowSchema,
} from "apache-arrow";
import type { ExampleColumnType, ExampleListType, ExampleValueType } from "./example-arrow-types.js";
import { nullTypeColumn } from "../column/null-column.js";
import { recordBatchOf } from "../table/record-batch.js";
import { widenPositions } from "../column/widen-positions.js";

/** Buffers of a list column, without its name. */
type ListBuffers = Omit<ColumnBuffers, "name">;

/** Builds a record batch over the kernel's buffers. Copies only offsets that must be widened to 64 bits. */
export function exampleRecordBatch(
  schema: ArrowSchema,
  batch: ExampleBatch,
  listType: ExampleListType,
): RecordBatch {
  const columns = exampleColumns(schema, batch, listType);
  return recordBatchOf(schema, batch.numRows, [...columns, ...rawRecordColumns(schema, batch, listType)]);
}

/** Returns the columns of the features, whose fields come first in `schema`. */
export function exampleColumns(
  schema: ArrowSchema,
  { columns, numRows }: ExampleBatch,
  listType: ExampleListType,
): readonly Data[] {
  return columns.map((buffers, index) =>
    columnData((schema.fields[index] as Field<ExampleColumnType>).type, buffers, numRows, listType),
  );
}

/** Returns the column of raw records, whose field comes last in `schema`, or an empty list if they were not requested. */
export function rawRecordColumns(
  schema: ArrowSchema,
  batch: ExampleBatch,
  listType: ExampleListType,
): readonly Data[] {
  const { numRows, rawRecords } = batch;
  if (rawRecords === undefined) return [];
  const offsets = Int32Array.from({ length: numRows + 1 }, (_, row) => row);
  const { type } = schema.fields.at(-1) as Field<ExampleColumnType>;
  return [
    columnData(type, { kind: FeatureKind.bytes, nullCount: 0, offsets, ...rawRecords }, numRows, listType),
  ];
}

/** Creates one list column, or a column of type Null. Borrows the buffers, except offsets that must be widened. */
export function columnData(
  type: ExampleColumnType,
  buffers: ListBuffers,
  numRows: number,
  listType: ExampleListType,
): Data<ExampleColumnType> {
  if (type instanceof Null) return nullTypeColumn(type, numRows);
  const child = valuesData(type.valueType, buffers);
  const { offsets, nullCount, validity } = buffers;
  const rowSplits = listType === "large" ? widenPositions(offsets) : offsets;
  return dataOf(type, { length: numRows, nullCount, buffers: [rowSplits, undefined, validity] }, [child]);
}

/** Creates the child column of a list column: numbers, or byte strings with their offsets. */
function valuesData(type: ExampleValueType, { values, valueOffsets }: ListBuffers): Data<ExampleValueType> {
  if (type instanceof Float32 || type instanceof Int64) {
    return dataOf(type, { length: values.length, nullCount: 0, buffers: [undefined, values] });
  }
  const offsets = valueOffsets as Int32Array;
  const splits = type instanceof Binary ? offsets : widenPositions(offsets);
  return dataOf(type, { length: offsets.length - 1, nullCount: 0, buffers: [splits, values] });
}

interface DataParts {
  readonly length: number;
  readonly nullCount: number;
  /** Offsets, values and validity bitmap, in this order. */
  readonly buffers: readonly (ArrayBufferView | undefined)[];
}

/**
 * Works like `makeData`, but creates no empty bitmap for a column without nulls. With a million columns, empty bitmaps take a
 * quarter of the memory.
 */
function dataOf<Type extends DataType>(
  type: Type,
  { length, nullCount, buffers }: DataParts,
  children: Data[] = [],
): Data<Type> {
  // Arrow accepts undefined for missing buffers, but its typings do not say so.
  return new Data(type, 0, length, nullCount, buffers as never, children);
}
