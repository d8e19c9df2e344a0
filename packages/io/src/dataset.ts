import type { Dataset } from "@tfxio/dataset";
import type { TensorAdapter } from "@tfxio/tensor-adapter";
import { ArgumentError } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";
import {
  anObject,
  aPositiveInteger,
  aString,
  assertOptions,
  type OptionRules,
  unusableArgument,
} from "@tfxio/wire/checks";
import { resolveReadOptions, RECORD_BATCHES_RULES } from "./options.js";
import { type PlannedRead, type RowConversion, rowsOf } from "./record-batches.js";
import type { DatasetElement, DatasetOptions } from "./tfxio.js";

const { signal: _, ...READING_RULES } = RECORD_BATCHES_RULES;

const DATASET_RULES: OptionRules<DatasetOptions> = {
  ...READING_RULES,
  prefetchBufferSize: aPositiveInteger,
  labelKey: aString,
  tf: anObject,
  int64: null,
};

/**
 * Batches of a TFXIO as a dataset. Rows are shuffled, repeated and cut into batches as `recordBatches` does it, and while
 * they are Arrow; each batch is then one element, turned into host columns and, at the last step, tensors.
 */
export function datasetOf(
  adapter: TensorAdapter,
  rows: Pick<RowConversion, "arrowSchema" | "independentRows">,
  planned: PlannedRead,
  options: DatasetOptions,
): Dataset<DatasetElement> {
  assertOptions("dataset", options, DATASET_RULES);
  const { batchSize = 32, prefetchBufferSize = 2, labelKey, tf, int64, shuffle = true, ...reading } = options;
  const { dropFinalBatch, ...checked } = resolveReadOptions({ ...reading, batchSize, shuffle });
  assertTensor(adapter, labelKey, "labelKey");
  if (typeof int64 === "object") for (const name of Object.keys(int64)) assertTensor(adapter, name, "int64");
  if (int64 !== undefined && tf === undefined) {
    throw unusableArgument("int64", "controls how 64-bit integers become tensors, so it requires tf");
  }

  const conversion = { ...rows, toHost: (batch: RecordBatch) => adapter.toHost(batch) };
  const batches = rowsOf(planned, { ...checked, dropFinalBatch }, conversion).batch(batchSize, {
    dropRemainder: dropFinalBatch,
  });
  // Tensors before labels: policies and errors then go by the names of the tensors.
  const tensors = tf === undefined ? batches : batches.withTensors({ tf, int64 });
  const elements = labelKey === undefined ? tensors : tensors.toXY({ ys: labelKey });
  return elements.prefetch(prefetchBufferSize) as Dataset<DatasetElement>;
}

function assertTensor(adapter: TensorAdapter, name: string | undefined, argument: string): void {
  const specs = adapter.typeSpecs();
  if (name === undefined || specs.has(name)) return;
  throw new ArgumentError(
    "invalid-argument",
    `${argument} names "${name}", which is no tensor; there are: ${[...specs.keys()].join(", ")}`,
    { argument, reason: "unknown-tensor" },
  );
}
