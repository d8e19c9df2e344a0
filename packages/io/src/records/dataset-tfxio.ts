import { defineFormat } from "@tfxio/format";
import type { Schema } from "@tfxio/schema";
import { ArgumentError, bytesSource, SchemaError } from "@tfxio/wire";
import {
  aListOfNames,
  assertArgument,
  assertOptions,
  membersOf,
  type OptionRules,
  rule,
} from "@tfxio/wire/checks";
import { OPEN_RULES } from "../open-rules.js";
import { tfxioOf } from "../tfxio-of.js";
import type { Tfxio } from "../tfxio.js";
import { batchElements, type BatchDataset, readElements } from "./dataset-batches.js";
import { columnsLike, columnsOfSchema, type DatasetColumns } from "./dataset-columns.js";

/** The URI by which errors, splits and progress name the dataset. */
const DATASET_URI = "dataset";

/** Options of {@link datasetTfxio}. */
export interface DatasetTfxioOptions {
  /** Names for the parts of an element, in order. Ignored if the number of names differs from the number of parts. */
  readonly featureNames?: readonly string[] | undefined;
  /**
   * Schema of the dataset's tensors. Each tensor becomes one column with the tensor's name. Default: inferred from the first
   * element.
   */
  readonly schema?: Schema | undefined;
  /** Cancels opening. Reading methods take their own signals. */
  readonly signal?: AbortSignal | undefined;
}

const DATASET_TFXIO_RULES: OptionRules<DatasetTfxioOptions> = {
  featureNames: aListOfNames,
  schema: OPEN_RULES.schema,
  signal: OPEN_RULES.signal,
};

/**
 * Opens a {@link Tfxio} over a finite dataset of batches: a dataset of `@tfxio/dataset` or TensorFlow.js, or any object with
 * `iterator()`. An element is a tensor, host column or typed array, or a nested dict or tuple of these. Rows lie along the first
 * axis of every part. Dict keys name the parts; parts of tuples are named `feature0`, `feature1` and so on. Nested names are
 * joined by `_`.
 *
 * Without `schema`, opening reads the first element to determine the tensors and their types. With `schema`, opening reads
 * nothing. Each pass calls `iterator()` again, and disposes the tensors of every element after reading them. Each non-empty
 * element becomes one record batch. Floats become float32, integers and bool become int64, and strings stay strings. A float64 or
 * uint64 value that does not fit exactly throws `out-of-range`.
 *
 * `schema()` returns the given schema, or the schema inferred from the first element. `project`, `plan`, `rawRecords`,
 * `describeRead` and `workers` above 0 throw `unsupported`. `split` needs `by`.
 * @throws {ArgumentError} `invalid-argument`; reason `infinite-dataset` for an infinite dataset.
 * @throws {SchemaError} `schema-required` for an empty dataset without `schema`; `schema-mismatch` (`duplicate-column`) if two
 *   parts have the same name.
 * @throws {UnsupportedError} `unsupported` (`dataset-schema`) if `schema` has a tensor that is not made from exactly one
 *   top-level column of the same name.
 * @throws {ConversionError} `not-convertible` for elements that are not batches or have an unsupported dtype.
 * @throws {UserFunctionError} `user-function` when the dataset throws anything but a TfxioError, which is thrown unchanged.
 * @see tfx_bsl `DatasetTFXIO`
 */
export async function datasetTfxio(dataset: BatchDataset, options: DatasetTfxioOptions = {}): Promise<Tfxio> {
  assertOptions("datasetTfxio", options, DATASET_TFXIO_RULES);
  assertFinite(dataset);
  const { featureNames, schema, signal } = options;
  signal?.throwIfAborted();
  const columns =
    schema === undefined ? await firstColumns(dataset, featureNames, signal) : columnsOfSchema(schema);
  const format = defineFormat<object>({
    id: "dataset",
    extensions: [],
    defaults: {},
    contractVersion: 2,
    columnForm: "lists",
    open: async () => ({
      plan: async () => ({
        arrowSchema: columns.arrowSchema,
        splits: [{ index: 0, uri: DATASET_URI }],
        read: (_split, readOptions = {}) =>
          batchElements(
            readElements(dataset, featureNames, readOptions.signal),
            (tensors) => columns.convert(tensors),
            readOptions,
          ),
      }),
    }),
  });
  // A format must open a source, so pass an empty one.
  const sources = [bytesSource(new Uint8Array(0), DATASET_URI)];
  const reader = await format.open(sources, { signal });
  const opened = {
    format,
    sources,
    options: undefined,
    limits: undefined,
    stores: [],
    representationGroup: undefined,
    callerData: "datasets" as const,
  };
  // Each element is one batch of any size.
  const request = { schema: columns.schema, batchSize: Number.MAX_SAFE_INTEGER };
  return tfxioOf({ opened, reader }, request, { signal });
}

async function firstColumns(
  dataset: BatchDataset,
  featureNames: readonly string[] | undefined,
  signal: AbortSignal | undefined,
): Promise<DatasetColumns> {
  for await (const tensors of readElements(dataset, featureNames, signal)) return columnsLike(tensors);
  throw new SchemaError(
    "schema-required",
    "The dataset has no elements, so its tensors are unknown; pass a schema.",
  );
}

const aDataset = rule(
  "an object with a method iterator()",
  (value) => typeof membersOf(value)["iterator"] === "function",
);

function assertFinite(dataset: BatchDataset): void {
  assertArgument("dataset", dataset, aDataset, "datasetTfxio");
  const isInfinite =
    dataset.size === Number.POSITIVE_INFINITY ||
    (typeof dataset.cardinality === "function" && dataset.cardinality() === "infinite");
  if (!isInfinite) return;
  throw new ArgumentError(
    "invalid-argument",
    "The dataset is infinite, but a pass must end; limit the dataset with take.",
    {
      argument: "dataset",
      reason: "infinite-dataset",
    },
  );
}
