export type { ExampleDecoder } from "./decoder.js";
export type { ExampleDecoderOptions } from "./decoder-options.js";
export { createExampleDecoder } from "./example-decoder.js";
export { createSequenceExampleDecoder, type SequenceExampleDecoderOptions } from "./sequence-decoder.js";
export { createExampleEncoder, type ExampleEncoder, type ExampleEncoderOptions } from "./example-encoder.js";
export { createSequenceExampleEncoder, type SequenceExampleEncoderOptions } from "./sequence-encoder.js";
export {
  encodeExample,
  encodeSequenceExample,
  type FeatureValues,
  type SequenceExampleParts,
} from "./encode-example.js";
export { inferSchemaFromBatches } from "./infer-schema.js";
export type { ExampleListType } from "./example-arrow-types.js";
export { BytesColumn } from "./column-access-bytes.js";
export {
  type ColumnElements,
  columnElements,
  fieldElements,
  firstNull,
  type ListElements,
  listElements,
  nullMask,
} from "./column-access.js";
export {
  type ColumnValues,
  type FlatValues,
  flatValues,
  isBytesType,
  isFlatType,
  type NumberArray,
} from "./column-access-values.js";
export { isListType, type ListColumn, type ListType, listColumn } from "./list-column.js";
export { concatBatches, gatherRows, type RowRanges, takeRows } from "./gather-rows.js";
export { batchByteSize, type BatchByteSizeOptions, binaryByteSize, byteSize } from "./byte-size.js";
export { type ListCoordinates, listCoordinates } from "./coordinates.js";
export { elementLengths } from "./element-lengths.js";
export { fillNullLists } from "./fill-null-lists.js";
export { type FlattenedColumn, flattenNested, innermostType, structField } from "./flatten-nested.js";
export { indexIn } from "./index-in.js";
export { countInvalidUtf8 } from "./invalid-utf8.js";
export { nullBytes } from "./null-bytes.js";
export { listFromParentIndices, type ListFromParentIndicesOptions, parentIndices } from "./parent-indices.js";
export { toSingletonLists } from "./singleton-list.js";
export {
  fromTransferable,
  toTransferable,
  type ToTransferableOptions,
  type TransferableBatch,
  type TransferableLayout,
  type TransferableOptions,
} from "./transferable.js";
export { canonicalBatch, type CanonicalBatchOptions } from "./canonical-batch.js";
export {
  columnAtPath,
  type ColumnAtPath,
  type ColumnAtPathOptions,
  columnsByPath,
  type ColumnsByPathOptions,
} from "./columns-by-path.js";
export { emptyBatch } from "./empty-batch.js";
export { filterRows } from "./filter-rows.js";
export { groupRows, type GroupValue, type RowGroup } from "./group-rows.js";
export {
  createRowMatcher,
  matchingRows,
  type RowMatcher,
  type RowMatcherOptions,
} from "./predicate/matching-rows.js";
export { hashColumnRows } from "./hash/hash-column-rows.js";
export {
  hashFraction,
  hashRowPositions,
  hashThreshold,
  type RowPositions,
} from "./hash/hash-row-positions.js";
export { conformBatch, type ConformOptions, createBatchConformer } from "./list-form/conform-batch.js";
export { conformedSchema } from "./list-form/conformed-schema.js";
export { schemaFromArrow } from "./list-form/schema-from-arrow.js";
export { listColumnsSchema } from "./list-form/list-types.js";
export { toListColumns } from "./list-form/to-list-columns.js";
export { plainRows } from "./rows/plain-rows.js";
export type { Base64Bytes, PlainRow, PlainRowOf, PlainValue } from "./rows/plain-value.js";
export { sliceByBytes } from "./rows/slice-by-bytes.js";
export { mergeBatches } from "./merge-batches.js";
export { type BatchSlice, sliceByValues } from "./slice-by-values.js";
