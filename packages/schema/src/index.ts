export {
  defineSchema,
  type FeatureKindOf,
  type FeatureNames,
  type FeatureShapeOf,
  type FeaturesOf,
  featureFrom,
  featuresFrom,
  type SchemaDefinition,
  type SparseDefinition,
  type TypedSchema,
  withFeatures,
} from "./builder/define-schema.js";
export {
  type AnyFeatureBuilder,
  FeatureBuilder,
  type FeatureDefinitions,
  type NoChildren,
} from "./builder/feature-builder.js";
export type { DefaultValues, FeatureKind, FeatureShape } from "./builder/feature-kind.js";
export { bytes, float, int, struct } from "./builder/create-feature.js";
export { ColumnPath } from "./column-path.js";
export type {
  CompareOperator,
  ComparePredicate,
  InPredicate,
  IsNullPredicate,
  LogicalPredicate,
  NotPredicate,
  Predicate,
  PredicateValue,
} from "./predicate/predicate.js";
export { assertPredicate } from "./predicate/check-predicate.js";
export { formatPredicate } from "./predicate/format-predicate.js";
export { parsePredicate } from "./predicate/parse-predicate.js";
export { predicateColumns } from "./predicate/predicate-columns.js";
export { compareSchemas, type SchemaDifference } from "./compare-schemas.js";
export type { ExpectedTypeSpec } from "./expected-type-spec.js";
export {
  type ExplainOptions,
  explain,
  type FeatureExplanation,
  type SchemaExplanation,
  type TensorExplanation,
} from "./explain.js";
export { formatExplanation } from "./format-explanation.js";
export {
  inferTensorRepresentationsFromMixedSchema,
  inferTensorRepresentationsFromSchema,
  type InferenceOptions,
  type MixedInferenceOptions,
  type NameCollision,
} from "./inference/infer.js";
export type { InferenceProfile, RepresentationRule } from "./inference/inference.js";
export { createTfExampleParserConfig } from "./parsing/example-parser-config.js";
export type {
  FeatureSpec,
  FeatureSpecDType,
  FixedLenFeature,
  RaggedFeature,
  RaggedPartition,
  SparseFeatureSpec,
  VarLenFeature,
} from "./parsing/feature-spec.js";
export {
  createTfSequenceExampleParserConfig,
  type SequenceParserConfig,
} from "./parsing/sequence-example-parser-config.js";
export {
  checkTensorRepresentations,
  type RepresentationFinding,
  validateTensorRepresentationsInSchema,
} from "./representation/check.js";
export { type ProjectionOptions, projectTensorRepresentationsInSchema } from "./representation/project.js";
export {
  getTensorRepresentationsFromSchema,
  setTensorRepresentationsInSchema,
  type TensorRepresentations,
} from "./representation/representations.js";
export { getSourceColumns, getSourceValueColumn } from "./representation/source-columns.js";
export {
  decodeSchema,
  encodeSchema,
  formatSchemaText,
  parseSchemaText,
  schemaFromJson,
  schemaToJson,
} from "./schema-codec.js";
export { forEnvironment, withoutInactiveFeatures } from "./subsets.js";

// TFMD's messages, and their descriptors (`…Schema`) for `create` and similar functions of @bufbuild/protobuf.
export {
  type Annotation,
  AnnotationSchema,
  type AudioDomain,
  AudioDomainSchema,
  type BoolDomain,
  BoolDomainSchema,
  type ContentChunkDomain,
  ContentChunkDomainSchema,
  type DatasetConstraints,
  DatasetConstraintsSchema,
  type DistributionConstraints,
  DistributionConstraintsSchema,
  type Feature,
  type FeatureComparator,
  FeatureComparatorSchema,
  type FeatureCoverageConstraints,
  FeatureCoverageConstraintsSchema,
  type FeaturePresence,
  FeaturePresenceSchema,
  type FeaturePresenceWithinGroup,
  FeaturePresenceWithinGroupSchema,
  FeatureSchema,
  FeatureType,
  FeatureTypeSchema,
  type FixedShape,
  type FixedShape_Dim,
  FixedShape_DimSchema,
  FixedShapeSchema,
  type FloatDomain,
  FloatDomainSchema,
  type HistogramSelection,
  HistogramSelection_Type,
  HistogramSelection_TypeSchema,
  HistogramSelectionSchema,
  type ImageDomain,
  ImageDomainSchema,
  type InfinityNorm,
  InfinityNormSchema,
  type IntDomain,
  IntDomainSchema,
  type JensenShannonDivergence,
  JensenShannonDivergenceSchema,
  LifecycleStage,
  LifecycleStageSchema,
  type MIDDomain,
  MIDDomainSchema,
  type NaturalLanguageDomain,
  NaturalLanguageDomainSchema,
  type NormalizedAbsoluteDifference,
  NormalizedAbsoluteDifferenceSchema,
  type NumericValueComparator,
  NumericValueComparatorSchema,
  type Schema,
  SchemaSchema,
  type SequenceLengthConstraints,
  SequenceLengthConstraintsSchema,
  type SequenceMetadata,
  SequenceMetadata_SequentialStatus,
  SequenceMetadata_SequentialStatusSchema,
  SequenceMetadataSchema,
  type SequenceValueConstraints,
  SequenceValueConstraintsSchema,
  type SparseFeature,
  type SparseFeature_IndexFeature,
  SparseFeature_IndexFeatureSchema,
  type SparseFeature_ValueFeature,
  SparseFeature_ValueFeatureSchema,
  SparseFeatureSchema,
  type StringDomain,
  StringDomain_Categorical,
  StringDomain_CategoricalSchema,
  StringDomainSchema,
  type StructDomain,
  StructDomainSchema,
  type TensorRepresentation,
  type TensorRepresentation_DefaultValue,
  TensorRepresentation_DefaultValueSchema,
  type TensorRepresentation_DenseTensor,
  TensorRepresentation_DenseTensorSchema,
  type TensorRepresentation_RaggedTensor,
  type TensorRepresentation_RaggedTensor_Partition,
  TensorRepresentation_RaggedTensor_PartitionSchema,
  TensorRepresentation_RaggedTensorSchema,
  TensorRepresentation_RowPartitionDType,
  TensorRepresentation_RowPartitionDTypeSchema,
  type TensorRepresentation_SparseTensor,
  TensorRepresentation_SparseTensorSchema,
  type TensorRepresentation_VarLenSparseTensor,
  TensorRepresentation_VarLenSparseTensorSchema,
  type TensorRepresentationGroup,
  TensorRepresentationGroupSchema,
  TensorRepresentationSchema,
  type TimeDomain,
  TimeDomain_IntegerTimeFormat,
  TimeDomain_IntegerTimeFormatSchema,
  TimeDomainSchema,
  type TimeOfDayDomain,
  TimeOfDayDomain_IntegerTimeOfDayFormat,
  TimeOfDayDomain_IntegerTimeOfDayFormatSchema,
  TimeOfDayDomainSchema,
  type UniqueConstraints,
  UniqueConstraintsSchema,
  type URLDomain,
  URLDomainSchema,
  type ValueCount,
  type ValueCountList,
  ValueCountListSchema,
  ValueCountSchema,
  type VideoDomain,
  VideoDomainSchema,
  type WeightedFeature,
  WeightedFeatureSchema,
} from "./generated/tensorflow_metadata/proto/v0/schema_pb.js";
export {
  type Path,
  PathSchema,
} from "./generated/tensorflow_metadata/proto/v0/path_pb.js";
export {
  type AllowlistDeriver,
  AllowlistDeriverSchema,
  type ArgmaxTopK,
  ArgmaxTopKSchema,
  type DerivedFeatureConfig,
  DerivedFeatureConfigSchema,
  type DerivedFeatureSource,
  DerivedFeatureSourceSchema,
  type ImageQualityDeriver,
  ImageQualityDeriverSchema,
  type ReduceOp,
  ReduceOpSchema,
  type SliceSql,
  SliceSqlSchema,
  SliceValueTypes,
  SliceValueTypesSchema,
} from "./generated/tensorflow_metadata/proto/v0/derived_feature_pb.js";

// For authors of other packages: codecs for any TFMD message. Their errors are `TfxioError`s.
export {
  createMessage,
  decodeMessage,
  encodeMessage,
  formatMessageText,
  type MessageCodecOptions,
  messageFromJson,
  messageToJson,
  parseMessageText,
} from "./message-codec.js";
