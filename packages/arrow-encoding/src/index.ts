export type { ExampleDecoder } from "./decode/decoder.js";
export type { ExampleDecoderOptions } from "./decode/decoder-options.js";
export { createExampleDecoder } from "./example/example-decoder.js";
export {
  createSequenceExampleDecoder,
  type SequenceExampleDecoderOptions,
} from "./sequence/sequence-decoder.js";
export {
  createExampleEncoder,
  type ExampleEncoder,
  type ExampleEncoderOptions,
} from "./example/example-encoder.js";
export {
  createSequenceExampleEncoder,
  type SequenceExampleEncoderOptions,
} from "./sequence/sequence-encoder.js";
export {
  encodeExample,
  encodeSequenceExample,
  type FeatureValues,
  type SequenceExampleParts,
} from "./example/encode-example.js";
export { inferSchemaFromBatches, type InferSchemaOptions } from "./infer/infer-schema.js";
export type { ExampleListType } from "./example/example-arrow-types.js";
export { BytesColumn } from "./column/column-access-bytes.js";
export {
  type ColumnElements,
  columnElements,
  fieldElements,
  firstNull,
  type ListElements,
  listElements,
  nullMask,
} from "./column/column-access.js";
export {
  type ColumnValues,
  type FlatValues,
  flatValues,
  isBytesType,
  isFlatType,
  type NumberArray,
} from "./column/column-access-values.js";
export { isListType, type ListColumn, type ListType, listColumn } from "./column/list-column.js";
export { concatBatches, gatherRows, type RowRanges, takeRows } from "./gather/gather-rows.js";
export { batchByteSize, type BatchByteSizeOptions, binaryByteSize, byteSize } from "./table/byte-size.js";
export { type ListCoordinates, listCoordinates } from "./array/coordinates.js";
export { elementLengths } from "./array/element-lengths.js";
export { fillNullLists } from "./array/fill-null-lists.js";
export {
  type FlattenedColumn,
  flattenNested,
  innermostType,
  isValueless,
  structField,
} from "./array/flatten-nested.js";
export { indexIn } from "./array/index-in.js";
export { countInvalidUtf8 } from "./array/invalid-utf8.js";
export { nullBytes } from "./array/null-bytes.js";
export {
  listFromParentIndices,
  type ListFromParentIndicesOptions,
  parentIndices,
} from "./array/parent-indices.js";
export { toSingletonLists } from "./column/singleton-list.js";
export {
  fromTransferable,
  toTransferable,
  type ToTransferableOptions,
  type TransferableBatch,
  type TransferableLayout,
  type TransferableOptions,
} from "./transfer/transferable.js";
export { canonicalBatch, type CanonicalBatchOptions } from "./table/canonical-batch.js";
export {
  columnAtPath,
  type ColumnAtPath,
  type ColumnAtPathOptions,
  columnsByPath,
  type ColumnsByPathOptions,
} from "./column/columns-by-path.js";
export { bitmapOf } from "./column/make-list.js";
export { nullColumn } from "./column/null-column.js";
export { fieldIndex } from "./column/field-index.js";
export { emptyBatch } from "./table/empty-batch.js";
export { recordBatchOf, sliceBatch } from "./table/record-batch.js";
export { withPositionField, withPositions } from "./table/row-positions.js";
export {
  assertKnownColumns,
  type ColumnRequest,
  type SelectedColumn,
  selectColumns,
} from "./table/selected-columns.js";
export { filterRows } from "./table/filter-rows.js";
export { groupRows, type GroupValue, type RowGroup } from "./table/group-rows.js";
export {
  createRowMatcher,
  matchingRows,
  type RowMatcher,
  type RowMatcherOptions,
} from "./predicate/matching-rows.js";
export { hashColumnRows } from "./hash/hash-column-rows.js";
export { murmur3 } from "./hash/murmur3.js";
export {
  hashFraction,
  hashRowPositions,
  hashThreshold,
  type RowPositions,
} from "./hash/hash-row-positions.js";
export { conformBatch, type ConformOptions, createBatchConformer } from "./list-form/conform-batch.js";
export { conformedSchema } from "./list-form/conformed-schema.js";
export { schemaFromArrow } from "./list-form/schema-from-arrow.js";
export { fromFloat16 } from "./list-form/float16.js";
export { leafValues } from "./list-form/leaf-values.js";
export { listColumnsSchema } from "./list-form/list-types.js";
export { toListColumns } from "./list-form/to-list-columns.js";
export { type ValueKind, valueKind } from "./list-form/value-kind.js";
export { plainRows } from "./rows/plain-rows.js";
export type { Base64Bytes, PlainRow, PlainRowOf, PlainValue } from "./rows/plain-value.js";
export { sliceByBytes } from "./rows/slice-by-bytes.js";
export { toBase64 } from "./text/base64.js";
export { isUtf8 } from "./text/is-utf8.js";
export { shortFloat32 } from "./text/short-float32.js";
export { type TemporalText, temporalText } from "./text/temporal-text.js";
export { type TemporalValue, temporalValue } from "./text/temporal-value.js";
export { mergeBatches } from "./table/merge-batches.js";
export { type BatchSlice, sliceByValues } from "./table/slice-by-values.js";
