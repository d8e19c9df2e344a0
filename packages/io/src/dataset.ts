import { type Dataset, fromBlocks } from "@tfxio/dataset";
import type { TensorAdapter } from "@tfxio/tensor-adapter";
import { ArgumentError } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";
import { assertArgument, assertKnownOptions, assertPositiveInteger } from "./check-argument.js";
import {
  type CheckedRecordBatchesOptions,
  checkRecordBatchesOptions,
  RECORD_BATCHES_OPTIONS,
} from "./options.js";
import type { DatasetElement, DatasetOptions } from "./tfxio.js";

const DATASET_OPTIONS = [
  ...RECORD_BATCHES_OPTIONS.filter((name) => name !== "signal"),
  "prefetchBufferSize",
  "labelKey",
  "tf",
  "int64",
] as const;

/** Reads all batches once; `pass` numbers the passes, so that each of them shuffles in its own way. */
export type ReadPass = (options: CheckedRecordBatchesOptions, pass: number) => AsyncIterable<RecordBatch>;

/**
 * Batches of a TFXIO as a dataset. Rows are shuffled, repeated and cut into batches while they are Arrow; each batch is
 * then one element, turned into host columns and, at the last step, tensors.
 */
export function datasetOf(
  adapter: TensorAdapter,
  read: ReadPass,
  options: DatasetOptions,
): Dataset<DatasetElement> {
  assertKnownOptions(options, DATASET_OPTIONS, "dataset");
  const { batchSize = 32, prefetchBufferSize = 2, labelKey, tf, int64, shuffle = true, ...reading } = options;
  assertPositiveInteger("prefetchBufferSize", prefetchBufferSize);
  assertArgument("labelKey", labelKey, "string");
  assertArgument("tf", tf, "object");
  const checked = checkRecordBatchesOptions({ ...reading, batchSize, shuffle }, true);
  assertTensor(adapter, labelKey, "labelKey");
  if (typeof int64 === "object") for (const name of Object.keys(int64)) assertTensor(adapter, name, "int64");
  if (int64 !== undefined && tf === undefined) {
    throw new ArgumentError(
      "invalid-argument",
      "int64 says what tensors are made of integers, and needs tf",
      {
        argument: "int64",
      },
    );
  }

  let passes = 0;
  const rows = fromBlocks(
    async function* ({ signal }) {
      for await (const batch of read({ ...checked, signal }, passes++)) {
        yield { numRows: batch.numRows, columns: adapter.toHost(batch) };
      }
    },
    { cardinality: checked.numEpochs === Number.POSITIVE_INFINITY ? "infinite" : "unknown" },
  );
  // The blocks are batches already; this names them elements and copies nothing.
  const batches = rows.batch(batchSize);
  // Tensors before labels: policies and errors then go by the names of the tensors.
  const tensors = tf === undefined ? batches : batches.withTensors({ tf, int64 });
  const elements = labelKey === undefined ? tensors : tensors.toXY({ ys: labelKey });
  return elements.prefetch(prefetchBufferSize);
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
