import { type Dataset, fromItems } from "@tfxio/dataset";
import { NotBuiltYet } from "../outcome.js";
import { bytesOf, numberOf } from "../values/scalar.js";
import { functionOf } from "./functions.js";
import type { DatasetVector, OperationJson, SourceJson } from "./vector.js";

function itemOf(json: unknown, dtype: string): unknown {
  if (Array.isArray(json)) return json.map((item) => itemOf(item, dtype));
  if (typeof json === "object" && json !== null) {
    if ("$bytes" in json) return bytesOf({ b64: String(json.$bytes) });
    if ("$int" in json) return BigInt(String(json.$int));
    if ("$num" in json) return numberOf(json.$num);
    throw new NotBuiltYet(`dataset: items of ${Object.keys(json).join()}`);
  }
  return typeof json === "number" && dtype.includes("int64") ? BigInt(json) : json;
}

function sourceOf(source: SourceJson | undefined): Dataset<unknown> {
  switch (source?.kind) {
    case "range": {
      const length = Math.max(0, Math.ceil((source.stop - source.start) / source.step));
      return fromItems<unknown>(
        Array.from({ length }, (_unused, index) => BigInt(source.start + index * source.step)),
      );
    }
    case "list":
      return fromItems(source.items.map((item) => itemOf(item, source.dtype)));
    default:
      throw new NotBuiltYet(`dataset: source ${source?.kind ?? "of record batches or endpoints"}`);
  }
}

type Operator = (dataset: Dataset<unknown>, parameters: OperationJson) => Dataset<unknown>;

const operators: Readonly<Record<string, Operator>> = {
  batch: (dataset, { batchSize = 0, dropRemainder }) => dataset.batch(batchSize, { dropRemainder }),
  shuffle: (dataset, { bufferSize = 0, seed, reshuffleEachIteration }) =>
    dataset.shuffle(bufferSize, { seed, reshuffleEachIteration }),
  repeat: (dataset, { count }) => dataset.repeat(count),
  take: (dataset, { count = 0 }) => dataset.take(count),
  skip: (dataset, { count = 0 }) => dataset.skip(count),
  prefetch: (dataset, { bufferSize = 0 }) => dataset.prefetch(bufferSize),
  map: (dataset, { fn }) => dataset.map(functionOf(fn)),
  filter: (dataset, { fn }) => dataset.filter(functionOf(fn) as (element: unknown) => boolean),
};

/** Builds the dataset that a vector describes. int64 values are bigints. */
export function buildPipeline({ source, pipeline, reduce, choose }: DatasetVector): Dataset<unknown> {
  if (reduce !== undefined) throw new NotBuiltYet("dataset: reduce");
  if (choose !== undefined) throw new NotBuiltYet("dataset: chooseFromDatasets");
  const operations = pipeline ?? [];
  // What is missing has to show before an earlier operation refuses its arguments.
  const steps = operations.map((operation): [Operator, OperationJson] => {
    const operator = operators[operation.op];
    if (operator === undefined) throw new NotBuiltYet(`dataset: operation ${operation.op}`);
    functionOf(operation.fn);
    return [operator, operation];
  });
  return steps.reduce((dataset, [operator, operation]) => operator(dataset, operation), sourceOf(source));
}
