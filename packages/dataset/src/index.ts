// For users.
export type { Cardinality } from "./cardinality.js";
export type {
  BatchOptions,
  BucketOptions,
  IgnoreErrorsOptions,
  CycleOptions,
  IterateOptions,
  MapOptions,
  PaddedBatchOptions,
  RaggedBatchOptions,
  RebatchOptions,
  ReduceOptions,
  ResampleOptions,
  ShuffleOptions,
  ToXYOptions,
  WindowOptions,
} from "./dataset-options.js";
export type { DatasetState } from "./checkpoint/dataset-state.js";
export { TF_WINDOW } from "./dataset-options.js";
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
export type { Unbatched } from "./columns/element-types.js";
export type { DatasetLike, DatasetStructure, GroupByWindowOptions, Windowed, Zipped } from "./dataset.js";
export type { ElementShape } from "./batchers/element-shape.js";
export type { PaddingValue } from "./batchers/padding-value.js";
export type { GroupKey } from "./operators/windows/group-by-window.js";
export type { ChooseOptions, SampleOptions } from "./combine-datasets.js";
export { chooseFromDatasets, sampleFromDatasets, zip } from "./combine-datasets.js";
export type {
  BatchDenseOptions,
  PaddedOptions,
  PaddedSparseOptions,
  RaggedOptions,
} from "./reducers/batch-reducers.js";
export {
  batchDense,
  batchSparse,
  paddedBatchDense,
  paddedBatchSparse,
  ragged,
} from "./reducers/batch-reducers.js";
export type { AnyReducer, ReductionContext } from "./reducers/reducer.js";
export { Reducer } from "./reducers/reducer.js";
export type { Results } from "./reducers/reduce-many.js";
export { count, first, last, max, mean, min, sum, toArray } from "./reducers/value-reducers.js";
export type { ProgressEvent } from "./progress/pass-progress.js";
export { type ProgressOptions, withProgress } from "./progress/with-progress.js";
export { fromItems } from "./from-items.js";
export { fromSaved } from "./from-saved.js";
export type { SaveSummary } from "./stored/save-elements.js";
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
export type {
  FromRandomAccessOptions,
  OpenRandomAccess,
  RandomAccessRows,
  ReadAtOptions,
} from "./random-access/from-random-access.js";
export { fromRandomAccess } from "./random-access/from-random-access.js";
export type { RecordBatchFactory } from "./sources/from-record-batches.js";
export type { InterleaveOptions, InterleaveRowsOptions, OpenPart } from "./sources/interleave-batches.js";
export { interleaveBatches } from "./sources/interleave-batches.js";
