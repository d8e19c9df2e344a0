// Queries over nested data.
export {
  fromFileDescriptorSet,
  fromProto,
  type FromProtoOptions,
  protoPlaceholder,
} from "./sources/from-protobuf.js";
export { batchPlaceholder, fromPrensor, fromRecordBatch, placeholder } from "./sources/from-prensor.js";
export {
  calculateBatches,
  type CalculateBatchesOptions,
  fromReader,
  type FromReaderOptions,
} from "./sources/from-reader.js";
export type { MessageFormat, MessageRules } from "./sources/message-rules.js";
export {
  type AnyExpression,
  Expression,
  type MapOptions,
  type MapTensorOptions,
  type PathLike,
} from "./expression/expression.js";
export { expandWildcards } from "./expression/expand-wildcards.js";
export type { KnownField } from "./expression/known-fields.js";
export { calculate, createQueryPlan } from "./plan/create-query-plan.js";
export type { QueryPlan, QueryResult } from "./plan/query-plan.js";
export type { SourceInputs } from "./execute/run-nodes.js";
export { deepestPaths, Path, type PathOptions, type Step } from "./path/path.js";
export { typeNameOfStep } from "./path/step.js";
export { type VocabularyOptions, valueFunctions } from "./functions/value-functions.js";
export type { Constant, ValueFunction } from "./functions/value-function.js";
export type { ModelBindings, ModelInput, ModelOutput } from "./models/call-model.js";
export type { ModelDType } from "./models/model-call.js";
export type { ModelArtifacts, ModelFiles, ModelFormat } from "./models/model-files.js";
export {
  createQueryModel,
  type ModelRuntime,
  type ModelTensor,
  type QueryModel,
} from "./models/query-model.js";
export { createSavedQueryModel, type SavedQueryModelOptions } from "./models/saved-model.js";
export type { ModelSignature, SignatureDType, TensorSignature } from "./models/model-signature.js";
export type { SliceBounds } from "./operators/slice.js";
export type { ValuesCallback } from "./operators/map-field-values.js";
export type { RaggedCallback, SparseCallback } from "./operators/map-tensors.js";
export type { PrensorCallback } from "./operators/map-prensor.js";
export type { PayloadCallback, Payloads } from "./operators/transform.js";

// Query results.
export type { TypedPrensor, TypedViews } from "./prensor/typed-prensor.js";
export { Prensor, prensorOf } from "./prensor/prensor.js";
export type {
  ChildNode,
  FieldNode,
  FieldType,
  LeafNode,
  NodeType,
  PrensorNode,
  RootNode,
} from "./prensor/nodes.js";
export type { FieldSchema, LeafSchema, MessageSchema, SubmessageSchema } from "./prensor/prensor-schema.js";
export type { DTypeAt, FieldAt, PathArgument, PathsOf } from "./expression/typed-fields.js";
export type { DenseOptions } from "./views/dense.js";
export { toRecordBatch } from "./views/record-batch.js";
export { fromStructuredTensor, toStructuredTensor } from "./views/structured.js";

// Saved queries and record decoders.
export { type AnyDataView, createDataView, type DataView, type DataViewOptions } from "./saved/data-view.js";
export {
  type CheckedModelOutput,
  createSavedModelView,
  type SavedModelOutput,
  type SavedModelView,
  type SavedModelViewOptions,
} from "./saved/saved-model-view.js";
export type { CheckedOutput, DataViewOutput } from "./saved/outputs.js";
export {
  createRecordDecoder,
  dataViewDecoder,
  type DecodedTensors,
  type DecoderDescription,
  modelViewDecoder,
  type RecordDecoder,
} from "./saved/record-decoder.js";
export type { DecoderConfig, ModelDecoderConfig } from "./saved/decoder-config.js";
export { encodeDataView } from "./saved/encode-data-view.js";
export { decodeDataView, type DecodeDataViewOptions } from "./saved/decode-data-view.js";
export type { DataViewFiles } from "./saved/manifest.js";

// For code that extends this package: sources, plans and their nodes.
export type { PlannedField, PlanNode } from "./plan/canonical.js";
export type { Attributes, Field, GraphNode, OpaqueCallback, PayloadField } from "./expression/graph-node.js";
export type { Json } from "./expression/json.js";
export type {
  QuerySource,
  SourceBatch,
  SourceMessages,
  SourceNeeds,
  SourceReader,
} from "./sources/query-source.js";
export type { MessageValue, NodeValue, SubtreeValue, Taken } from "./operators/node-value.js";
