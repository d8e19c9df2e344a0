import { type ColumnBuffers, type ExampleBatch, FeatureKind } from "@tfxio/wire/kernels";
import {
  Binary,
  type Data,
  type Field,
  Float32,
  Int64,
  LargeList,
  type List,
  makeData,
  Null,
  type RecordBatch,
  type Schema as ArrowSchema,
} from "apache-arrow";
import type { ExampleColumnType, ExampleListType, ExampleValueType } from "./example-arrow-types.js";
import { nullTypeColumn } from "../column/null-column.js";
import { recordBatchOf } from "../table/record-batch.js";
import { widenPositions } from "../column/widen-positions.js";

/** Buffers of a list column; what {@link ColumnBuffers} and raw records have in common. */
type ListBuffers = Omit<ColumnBuffers, "name">;

/** A record batch over the kernel's buffers; nothing is copied but offsets that have to be widened. */
export function exampleRecordBatch(
  schema: ArrowSchema,
  batch: ExampleBatch,
  listType: ExampleListType,
): RecordBatch {
  const columns = exampleColumns(schema, batch, listType);
  return recordBatchOf(schema, batch.numRows, [...columns, ...rawRecordColumns(schema, batch, listType)]);
}

/** Columns of the features. Their fields come first in `schema`. */
export function exampleColumns(
  schema: ArrowSchema,
  { columns, numRows }: ExampleBatch,
  listType: ExampleListType,
): readonly Data[] {
  return columns.map((buffers, index) =>
    columnData((schema.fields[index] as Field<ExampleColumnType>).type, buffers, numRows, listType),
  );
}

/** The column of raw records, or none. Its field comes last in `schema`. */
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

/** One list column over its buffers. */
export function columnData(
  type: ExampleColumnType,
  buffers: ListBuffers,
  numRows: number,
  listType: ExampleListType,
): Data<ExampleColumnType> {
  if (type instanceof Null) return nullTypeColumn(type, numRows);
  const child = valuesData(type.valueType, buffers);
  const common = { length: numRows, nullCount: buffers.nullCount, nullBitmap: buffers.validity };
  return listType === "large"
    ? makeData({ type: type as LargeList, ...common, valueOffsets: widenPositions(buffers.offsets), child })
    : makeData({ type: type as List, ...common, valueOffsets: buffers.offsets, child });
}

function valuesData(type: ExampleValueType, buffers: ListBuffers): Data<ExampleValueType> {
  const { values, valueOffsets } = buffers;
  if (type instanceof Float32) {
    return makeData({ type, length: values.length, nullCount: 0, data: values as Float32Array });
  }
  if (type instanceof Int64) {
    return makeData({ type, length: values.length, nullCount: 0, data: values as BigInt64Array });
  }
  const data = values as Uint8Array;
  const offsets = valueOffsets as Int32Array;
  const length = offsets.length - 1;
  return type instanceof Binary
    ? makeData({ type, length, nullCount: 0, valueOffsets: offsets, data })
    : makeData({ type, length, nullCount: 0, valueOffsets: widenPositions(offsets), data });
}
