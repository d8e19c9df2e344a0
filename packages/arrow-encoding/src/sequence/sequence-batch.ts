import type { FeatureListBuffers, SequenceExampleBatch } from "@tfxio/wire/kernels";
import {
  type Data,
  type Field,
  type LargeList,
  type List,
  makeData,
  type RecordBatch,
  type Schema as ArrowSchema,
  type Struct,
} from "apache-arrow";
import type { ExampleListType, FeatureListType } from "../example/example-arrow-types.js";
import { columnData, exampleColumns, rawRecordColumns } from "../example/example-batch.js";
import { recordBatchOf } from "../table/record-batch.js";
import { widenPositions } from "../column/widen-positions.js";

/** Builds a record batch over the kernel's buffers. Copies only offsets that must be widened to 64 bits. */
export function sequenceRecordBatch(
  schema: ArrowSchema,
  batch: SequenceExampleBatch,
  listType: ExampleListType,
): RecordBatch {
  const { columns, featureLists, numRows } = batch;
  const children = [...exampleColumns(schema, batch, listType)];
  if (featureLists !== undefined) {
    const { type } = schema.fields[columns.length] as Field<Struct<Record<string, FeatureListType>>>;
    const lists = featureLists.map((buffers, index) =>
      featureListData((type.children[index] as Field<FeatureListType>).type, buffers, numRows, listType),
    );
    children.push(makeData({ type, length: numRows, nullCount: 0, children: lists }));
  }
  return recordBatchOf(schema, numRows, [...children, ...rawRecordColumns(schema, batch, listType)]);
}

/** Creates the column of one feature list: lists of steps, over the kernel's buffers. */
function featureListData(
  type: FeatureListType,
  { offsets, steps, nullCount, validity }: FeatureListBuffers,
  numRows: number,
  listType: ExampleListType,
): Data {
  const child = columnData(type.valueType, steps, offsets[numRows] as number, listType);
  const common = { length: numRows, nullCount, nullBitmap: validity };
  return listType === "large"
    ? makeData({ type: type as LargeList, ...common, valueOffsets: widenPositions(offsets), child })
    : makeData({ type: type as List, ...common, valueOffsets: offsets, child });
}
