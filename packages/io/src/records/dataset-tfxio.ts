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

/** Names the dataset in errors, splits and progress. */
const DATASET_URI = "dataset";

/** Options of {@link datasetTfxio}. */
export interface DatasetTfxioOptions {
  /** Names of the parts of an element, in their order. Used only if there are as many names as parts. */
  readonly featureNames?: readonly string[] | undefined;
  /** The tensors of the dataset and their types; each tensor is one column of its name. Default: those of the first element. */
  readonly schema?: Schema | undefined;
  /** Cancels opening; reading has signals of its own. */
  readonly signal?: AbortSignal | undefined;
}

const DATASET_TFXIO_RULES: OptionRules<DatasetTfxioOptions> = {
  featureNames: aListOfNames,
  schema: OPEN_RULES.schema,
  signal: OPEN_RULES.signal,
};

/**
 * A {@link Tfxio} over a finite dataset of batches: of `@tfxio/dataset`, of TensorFlow.js, or anything with `iterator()`.
 * Elements are tensors, host columns or typed arrays, or dicts and tuples of them, nested as you like. Parts of dicts
 * go by their keys, others are `feature0` and so on, and nested names are joined by `_`.
 *
 * Opening iterates over the dataset once, up to the first element, to learn its tensors; with `schema` it reads nothing.
 * Each pass iterates anew, and disposes the tensors of the elements once they are read. Each element with rows is one
 * record batch. Floats become float32, integers and bool int64, and strings stay. A float64 or uint64 value that would
 * change is `out-of-range`.
 *
 * `schema()` is the one given, or one that describes the tensors. `project`, `plan`, `rawRecords`, `describeRead` and a
 * number of `workers` are `unsupported`. `split` needs `by`.
 * @throws {ArgumentError} `invalid-argument` (also `infinite-dataset`). {@link SchemaError} `schema-required` for a
 * dataset without elements, `schema-mismatch` (`duplicate-column`). {@link ConversionError} `not-convertible` for
 * elements that are not batches, or of a dtype that no column holds; what the dataset throws.
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
  // Formats open sources; an empty one stands for the dataset.
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
  // Batches are as large as the elements.
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
    "The dataset has no element to learn its tensors from; open it with a schema.",
  );
}

const aDataset = rule(
  "a dataset: an object with a method iterator()",
  (value) => typeof membersOf(value)["iterator"] === "function",
);

function assertFinite(dataset: BatchDataset): void {
  assertArgument("dataset", dataset, aDataset, "datasetTfxio");
  const isInfinite =
    dataset.size === Number.POSITIVE_INFINITY ||
    (typeof dataset.cardinality === "function" && dataset.cardinality() === "infinite");
  if (!isInfinite) return;
  throw new ArgumentError("invalid-argument", "The dataset has no end; take a number of its elements.", {
    argument: "dataset",
    reason: "infinite-dataset",
  });
}
