import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import * as tfxio from "../src/index.js";
import { builtEntry, packagesReached } from "./packages-reached.js";

// The tests of the built module graph, which users load, are skipped before the first build.
const describeBuilt = existsSync(builtEntry("tfxio")) ? describe : describe.skip;

const source = readFileSync(path.join(import.meta.dirname, "../src/index.ts"), "utf8");
const exportsOfMain = [...source.matchAll(/export \{([^}]*)\} from "([^"]*)";/g)].map(
  ([, list = "", from = ""]) => ({
    from,
    names: list.split(",").flatMap((name) => name.trim() || []),
  }),
);
const names = exportsOfMain.flatMap((each) => each.names);

test("tfxio exports exactly the listed names, types included", () => {
  expect(names.sort()).toEqual([
    "ArgumentError",
    "BytesColumn",
    "ColumnPath",
    "ConversionError",
    "Dataset",
    "DatasetIterator",
    "FeatureType",
    "RaggedTensor",
    "RaggedTensorSpec",
    "RecordError",
    "SchemaError",
    "SourceError",
    "SparseTensor",
    "SparseTensorSpec",
    "StructuredTensor",
    "StructuredTensorAdapter",
    "StructuredTensorSpec",
    "TensorAdapter",
    "TensorSpec",
    "TensorsToRecordBatchConverter",
    "TfxioError",
    "UnsupportedError",
    "UserFunctionError",
    "bytes",
    "createExampleDecoder",
    "createExampleEncoder",
    "createFormatRegistry",
    "createSequenceExampleDecoder",
    "createSequenceExampleEncoder",
    "datasetTfxio",
    "decodeSchema",
    "defineSchema",
    "describeRead",
    "encodeExample",
    "encodeSchema",
    "encodeSequenceExample",
    "encodeTfRecord",
    "encodeTfRecords",
    "examplePayload",
    "explain",
    "fileSource",
    "float",
    "formatAdapterExplanation",
    "formatExplanation",
    "formatPredicate",
    "formatSchemaText",
    "fromItems",
    "fromRandomAccess",
    "fromRecordBatches",
    "httpSource",
    "inferSchemaFromBatches",
    "inferTensorRepresentationsFromSchema",
    "int",
    "isTfxioError",
    "memoryTarget",
    "openRead",
    "openTfxio",
    "parsePredicate",
    "parseSchemaText",
    "plainRows",
    "recordTfxio",
    "recordToTensorTfxio",
    "schemaFromArrow",
    "schemaFromJson",
    "schemaToJson",
    "sequenceExamplePayload",
    "sequenceTfrecord",
    "standardFormats",
    "struct",
    "tfrecord",
    "tidyTensors",
    "tuple",
    "type AdapterExplanation",
    "type AnyTensor",
    "type BatchLease",
    "type BatchOptions",
    "type ByteSource",
    "type ByteStore",
    "type ByteTarget",
    "type Cardinality",
    "type DType",
    "type DatasetElement",
    "type DatasetOptions",
    "type DatasetTfxioOptions",
    "type ErrorLocation",
    "type ExampleDecoder",
    "type ExampleDecoderOptions",
    "type ExampleEncoder",
    "type Feature",
    "type FeatureValues",
    "type Float64Policy",
    "type Format",
    "type FormatRegistry",
    "type HostColumn",
    "type HostColumns",
    "type HostDense",
    "type HostRagged",
    "type HostSparse",
    "type HostStructured",
    "type HostValues",
    "type Int64Policy",
    "type IterateOptions",
    "type LeasedBatchesOptions",
    "type Limits",
    "type OpenReadOptions",
    "type PerTensor",
    "type PlainRow",
    "type PlainValue",
    "type Predicate",
    "type RawRecordsOptions",
    "type ReadDescription",
    "type ReadPlan",
    "type RecordBatchesOptions",
    "type RecordTfxioOptions",
    "type RowPolicies",
    "type Schema",
    "type SchemaExplanation",
    "type SequenceExampleParts",
    "type ShuffleOptions",
    "type SourceInput",
    "type Split",
    "type SplitOptions",
    "type TargetInput",
    "type Tensor",
    "type TensorAdapterConfig",
    "type TensorHandler",
    "type TensorOf",
    "type TensorRepresentation",
    "type TensorsByName",
    "type TensorsOf",
    "type Tfxio",
    "type TfxioErrorCode",
    "type TfxioErrorOf",
    "type TfxioInput",
    "type TfxioOptions",
    "type TfxioProgress",
    "type ToTensorsOptions",
    "type ToXYOptions",
    "type TypeSpec",
    "type TypedSchema",
    "type WritableData",
    "type WriteProgress",
    "type WriteSummary",
    "type WriteTfxioOptions",
    "typedTensors",
    "writeTfRecords",
    "writeTfxio",
  ]);
});

test("tfxio exports fewer than 150 names", () => {
  expect(names.length).toBeLessThan(150);
});

test("tfxio exports exactly the listed values at run time", () => {
  const values = names.filter((name) => !name.startsWith("type ")).sort();
  expect(Object.keys(tfxio).sort()).toEqual(values);
});

test.each(exportsOfMain)("tfxio re-exports values of $from unchanged", async ({ from, names: handedOn }) => {
  const part = (await import(from)) as Record<string, unknown>;
  const values = handedOn.filter((name) => !name.startsWith("type "));
  const altered = values.filter((name) => (tfxio as Record<string, unknown>)[name] !== part[name]);
  expect(altered).toEqual([]);
});

describeBuilt("importing tfxio", () => {
  const umbrella = builtEntry("tfxio");

  test("loads no external package except apache-arrow", () => {
    expect(packagesReached(umbrella)).toEqual(["apache-arrow"]);
  });

  test("counts as loading a TensorFlow.js backend if tfxio, io, dataset or tensor-adapter imports one", () => {
    for (const name of ["tfxio", "io", "dataset", "tensor-adapter"]) {
      const planted = new Map([[builtEntry(name), 'import "@tensorflow/tfjs-backend-cpu";']]);
      expect(packagesReached(umbrella, planted)).toContain("@tensorflow/tfjs-backend-cpu");
    }
  });
});
