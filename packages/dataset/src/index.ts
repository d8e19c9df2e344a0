// For users.
export type { Cardinality } from "./cardinality.js";
export type {
  BatchOptions,
  IterateOptions,
  RebatchOptions,
  ShuffleOptions,
  ToXYOptions,
} from "./dataset.js";
export { Dataset } from "./dataset.js";
export type { DatasetResult } from "./dataset-iterator.js";
export { DatasetIterator } from "./dataset-iterator.js";
export type {
  Batched,
  KeysOf,
  Leaf,
  LeafItem,
  RowOf,
  Selected,
  WithTensors,
} from "./columns/element-types.js";
export { fromItems } from "./from-items.js";
export type { ComponentSelection } from "./operators/elements/to-xy.js";
export type { TensorOnlySettings, TensorSettings } from "./operators/elements/with-tensors.js";
export type { TensorFlow } from "./plan.js";
export type { Tuple } from "./columns/structure.js";
export { isTuple, tuple } from "./columns/structure.js";

// For authors of sources.
export type { ColumnBlock } from "./blocks/column-block.js";
export type { RowLeaf } from "./columns/column-rows.js";
export type { FromBlocksOptions } from "./from-blocks.js";
export { fromBlocks } from "./from-blocks.js";
export type { BlockFactory } from "./sources/from-blocks.js";
export type { FromRecordBatchesOptions } from "./from-record-batches.js";
export { fromRecordBatches } from "./from-record-batches.js";
export type { RecordBatchFactory } from "./sources/from-record-batches.js";
export type { InterleaveOptions, InterleaveRowsOptions, OpenPart } from "./sources/interleave-batches.js";
export { interleaveBatches } from "./sources/interleave-batches.js";
