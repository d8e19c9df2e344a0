export {
  createExampleDecoder,
  type ExampleDecoder,
  type ExampleDecoderOptions,
  type ExamplePushProgress,
} from "./example-decoder.js";
export { encodeExample, type FeatureValues } from "./encode-example.js";
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
