// The exports that most programs need. Every package except `@tfxio/beam` is also available in full as a chapter, such as
// `tfxio/schema`.

// Open, read and write data of any format.
export {
  type BatchLease,
  type DatasetElement,
  type DatasetOptions,
  datasetTfxio,
  type DatasetTfxioOptions,
  describeRead,
  type LeasedBatchesOptions,
  openRead,
  type OpenReadOptions,
  openTfxio,
  type RawRecordsOptions,
  type ReadDescription,
  type RecordBatchesOptions,
  recordTfxio,
  recordToTensorTfxio,
  type RecordTfxioOptions,
  type SplitOptions,
  standardFormats,
  type TensorsByName,
  type Tfxio,
  type TfxioInput,
  type TfxioOptions,
  type TfxioProgress,
  type WritableData,
  type WriteProgress,
  type WriteSummary,
  writeTfxio,
  type WriteTfxioOptions,
} from "@tfxio/io";

// TFMD schemas.
export {
  bytes,
  ColumnPath,
  decodeSchema,
  defineSchema,
  encodeSchema,
  explain,
  type Feature,
  FeatureType,
  float,
  formatExplanation,
  formatPredicate,
  formatSchemaText,
  inferTensorRepresentationsFromSchema,
  int,
  parsePredicate,
  parseSchemaText,
  type Predicate,
  type Schema,
  type SchemaExplanation,
  schemaFromJson,
  schemaToJson,
  struct,
  type TensorRepresentation,
  type TypedSchema,
} from "@tfxio/schema";

// Tensors and host columns.
export {
  type AdapterExplanation,
  type AnyTensor,
  BytesColumn,
  type DType,
  type Float64Policy,
  formatAdapterExplanation,
  type HostColumn,
  type HostColumns,
  type HostDense,
  type HostRagged,
  type HostSparse,
  type HostStructured,
  type HostValues,
  type Int64Policy,
  type PerTensor,
  RaggedTensor,
  RaggedTensorSpec,
  type RowPolicies,
  SparseTensor,
  SparseTensorSpec,
  StructuredTensor,
  StructuredTensorAdapter,
  StructuredTensorSpec,
  type Tensor,
  TensorAdapter,
  type TensorAdapterConfig,
  type TensorHandler,
  type TensorOf,
  type TensorsOf,
  TensorSpec,
  TensorsToRecordBatchConverter,
  tidyTensors,
  type ToTensorsOptions,
  typedTensors,
  type TypeSpec,
} from "@tfxio/tensor-adapter";

// Datasets.
export {
  type BatchOptions,
  type Cardinality,
  Dataset,
  DatasetIterator,
  fromItems,
  fromRandomAccess,
  fromRecordBatches,
  type IterateOptions,
  type ShuffleOptions,
  tuple,
  type ToXYOptions,
} from "@tfxio/dataset";

// tf.Examples, and rows of record batches.
export {
  createExampleDecoder,
  createExampleEncoder,
  createSequenceExampleDecoder,
  createSequenceExampleEncoder,
  encodeExample,
  encodeSequenceExample,
  type ExampleDecoder,
  type ExampleDecoderOptions,
  type ExampleEncoder,
  type FeatureValues,
  inferSchemaFromBatches,
  type PlainRow,
  plainRows,
  type PlainValue,
  schemaFromArrow,
  type SequenceExampleParts,
} from "@tfxio/arrow-encoding";

// TFRecord files.
export { examplePayload, sequenceExamplePayload, sequenceTfrecord, tfrecord } from "@tfxio/formats-tfrecord";
export { encodeTfRecord, encodeTfRecords, writeTfRecords } from "@tfxio/wire";

// Formats, and the plan of a read.
export {
  createFormatRegistry,
  type Format,
  type FormatRegistry,
  type Limits,
  type ReadPlan,
  type Split,
} from "@tfxio/format";

// Sources and targets of bytes.
export {
  type ByteSource,
  type ByteStore,
  type ByteTarget,
  fileSource,
  httpSource,
  memoryTarget,
  type SourceInput,
  type TargetInput,
} from "@tfxio/wire";

// Errors.
export {
  ArgumentError,
  ConversionError,
  type ErrorLocation,
  isTfxioError,
  RecordError,
  SchemaError,
  SourceError,
  TfxioError,
  type TfxioErrorCode,
  type TfxioErrorOf,
  UnsupportedError,
  UserFunctionError,
} from "@tfxio/wire";
