import type { Dataset } from "@tfxio/dataset";
import {
  FLOAT64_POLICIES,
  type HostColumns,
  INT64_POLICIES,
  type TensorAdapter,
  type TypeSpec,
} from "@tfxio/tensor-adapter";
import type { RecordBatch } from "apache-arrow";
import {
  anObject,
  aPositiveInteger,
  aString,
  assertOptions,
  oneOf,
  orByName,
  type OptionRules,
  unusableArgument,
} from "@tfxio/wire/checks";
import { resolveReadOptions, RECORD_BATCHES_RULES } from "./options.js";
import { withOneHotLabel } from "./one-hot-label.js";
import { type PlannedRead, type RowConversion, rowsOf } from "./record-batches.js";
import type { DatasetElement, DatasetOptions } from "./tfxio.js";

const { signal: _, ...READING_RULES } = RECORD_BATCHES_RULES;

const DATASET_RULES: OptionRules<DatasetOptions> = {
  ...READING_RULES,
  prefetchBufferSize: aPositiveInteger,
  labelKey: aString,
  oneHot: aPositiveInteger,
  tf: anObject,
  int64: orByName(oneOf(...INT64_POLICIES)),
  float64: orByName(oneOf(...FLOAT64_POLICIES)),
};

/**
 * Returns the batches of a TFXIO as a dataset. Rows are shuffled, repeated and batched as in `recordBatches`, before their
 * conversion from Arrow. Each batch is then converted to host columns and, if `tf` is given, to tensors. Each batch becomes one
 * element.
 * @throws {ArgumentError} `invalid-argument` for invalid options, and for options that do not match the tensors: reasons
 *   `unknown-tensor`, `label-not-dense` and `label-class`.
 */
export function datasetOf(
  adapter: TensorAdapter,
  rows: Pick<RowConversion, "arrowSchema" | "independentRows">,
  planned: PlannedRead,
  options: DatasetOptions,
): Dataset<DatasetElement> {
  assertOptions("dataset", options, DATASET_RULES);
  const {
    batchSize = 32,
    prefetchBufferSize = 2,
    labelKey,
    oneHot,
    tf,
    int64,
    float64,
    shuffle = true,
    ...reading
  } = options;
  const { dropFinalBatch, ...checked } = resolveReadOptions({ ...reading, batchSize, shuffle });
  assertTensors(adapter, options);

  const toHost = (batch: RecordBatch): HostColumns => adapter.toHost(batch);
  const withLabel = (batch: RecordBatch): HostColumns =>
    withOneHotLabel(toHost(batch), labelKey as string, oneHot as number);
  const conversion = { ...rows, toHost: oneHot === undefined ? toHost : withLabel };
  const batches = rowsOf(planned, { ...checked, dropFinalBatch }, conversion).batch(batchSize, {
    dropRemainder: dropFinalBatch,
  });
  // Convert to tensors before taking out the label, so that policies and errors use tensor names.
  const tensors =
    tf === undefined ? batches : batches.withTensors({ tf, int64: labelsAsFloat(int64, labelKey), float64 });
  const elements = labelKey === undefined ? tensors : tensors.toXY({ ys: labelKey });
  return elements.prefetch(prefetchBufferSize) as Dataset<DatasetElement>;
}

/**
 * Adds the policy `"float32"` for the label, unless the option `int64` is one policy for all tensors or already has a policy for
 * the label. Every loss accepts float32 labels, and sparse categorical cross-entropy accepts no other dtype.
 */
function labelsAsFloat(
  int64: DatasetOptions["int64"],
  labelKey: string | undefined,
): DatasetOptions["int64"] {
  return labelKey === undefined || typeof int64 === "string" ? int64 : { [labelKey]: "float32", ...int64 };
}

function assertTensors(adapter: TensorAdapter, options: DatasetOptions): void {
  const { labelKey, oneHot, tf, int64, float64 } = options;
  const specs = adapter.typeSpecs();
  for (const [argument, policy] of Object.entries({ int64, float64 })) {
    if (policy === undefined) continue;
    if (tf === undefined) {
      throw unusableArgument(argument, "controls how 64-bit numbers become tensors, so it requires tf");
    }
    if (typeof policy === "object")
      for (const name of Object.keys(policy)) {
        assertTensor(specs, name, argument, "has a policy for");
        if (oneHot !== undefined && name === labelKey)
          throw unusableArgument(
            argument,
            `has a policy for "${name}", which oneHot turns into float32 rows; omit that policy`,
          );
      }
  }
  if (labelKey === undefined) {
    if (oneHot !== undefined) throw unusableArgument("oneHot", "applies to labels, so it requires labelKey");
    return;
  }
  assertTensor(specs, labelKey, "labelKey");
  const spec = specs.get(labelKey) as TypeSpec;
  if (spec.kind !== "tensor") {
    const problem =
      `names "${labelKey}", a ${spec.kind} tensor, but labels must be dense: give the feature a shape and presence in the ` +
      "schema, or omit labelKey and create the labels with the dataset's method `map`";
    throw unusableArgument("labelKey", problem, { reason: "label-not-dense" });
  }
  if (oneHot !== undefined && spec.dtype === "string") {
    throw unusableArgument("oneHot", `requires integer labels, but "${labelKey}" holds strings`, {
      reason: "label-class",
    });
  }
}

function assertTensor(
  specs: ReadonlyMap<string, TypeSpec>,
  name: string,
  argument: string,
  verb = "names",
): void {
  if (specs.has(name)) return;
  const problem = `${verb} "${name}", an unknown tensor; the TFXIO has ${[...specs.keys()].join(", ") || "none"}`;
  throw unusableArgument(argument, problem, { reason: "unknown-tensor" });
}
