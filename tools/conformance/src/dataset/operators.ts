import { type Dataset, TF_WINDOW, tuple, zip } from "@tfxio/dataset";
import { NotBuiltYet } from "../outcome.js";
import { firstDataset, functionOf, mapDatasets, zipped } from "./functions.js";
import { integerOf } from "./items.js";
import { reducerOf } from "./reducers.js";
import type { FunctionJson, OperationJson, ReducerJson, SourceJson } from "./vector.js";

type SourceOf = (source: SourceJson | undefined) => Dataset<unknown>;
type Operator = (
  dataset: Dataset<unknown>,
  parameters: OperationJson,
  sourceOf: SourceOf,
) => Dataset<unknown>;

/** Functions for `scan`, by name. Each returns the next state and the output. */
const scans: Readonly<Record<string, (state: never, x: bigint) => readonly [unknown, unknown]>> = {
  cumsum: (state: bigint, x) => [state + x, state + x],
  delayedSum: (state: bigint, x) => [state + x, state],
  fibonacci: ([a, b]: readonly [bigint, bigint]) => [[b, a + b], b],
};

/** Returns the function that a test vector names. The function may apply operators or a reducer to the datasets of a window. */
function elementFunctionOf(json: OperationJson["fn"]): (element: unknown) => unknown {
  if (json === undefined || typeof json === "string") return functionOf({ name: json ?? "identity" });
  switch (json.name) {
    case "batchWindow": {
      const { batchSize = 1, dropRemainder } = json;
      return (window) =>
        zipped(mapDatasets(window, (dataset) => dataset.batch(batchSize, { dropRemainder })));
    }
    case "perComponent": {
      const { components = [] } = json;
      return (window) =>
        zipped(mapDatasets(window, (dataset, index) => applied(dataset, components[index] ?? [])));
    }
    case "reduceWindow":
      return (window) => reducedWindow(window, json);
    default:
      return functionOf(json);
  }
}

/** Replaces each dataset of a window with its reduction. The datasets are reduced concurrently, because they share a source. */
async function reducedWindow(window: unknown, { reducer }: FunctionJson): Promise<unknown> {
  const json: ReducerJson = typeof reducer === "string" ? { name: reducer } : (reducer ?? { name: "count" });
  const results: unknown[] = [];
  const structure = mapDatasets(
    window,
    (dataset) => results.push(dataset.reduce(reducerOf(json) as never)) - 1,
  );
  const settled = await Promise.all(results);
  const replace = (value: unknown): unknown => {
    if (typeof value === "number") return settled[value];
    if (Array.isArray(value)) return tuple(...value.map(replace));
    return Object.fromEntries(Object.entries(value as object).map(([key, item]) => [key, replace(item)]));
  };
  return replace(structure);
}

/** Converts padding values to the form of our API. In a test vector, a list holds one value for each component of a tuple. */
function padding(value: unknown, { padNaN = false }: OperationJson): unknown {
  if (value === "NaN" && padNaN) return Number.NaN;
  return Array.isArray(value) ? tuple(...value.map((each) => padding(each, { op: "" }))) : value;
}

function paddingValues(parameters: OperationJson): unknown {
  return padding(parameters.paddingValues, parameters);
}

const operators: Readonly<Record<string, Operator>> = {
  batch: (dataset, { batchSize = 0, dropRemainder }) => dataset.batch(batchSize, { dropRemainder }),
  shuffle: (dataset, { bufferSize = 0, seed, reshuffleEachIteration }) =>
    dataset.shuffle(bufferSize, { seed, reshuffleEachIteration }),
  repeat: (dataset, { count }) => dataset.repeat(count),
  take: (dataset, { count = 0 }) => dataset.take(count),
  skip: (dataset, { count = 0 }) => dataset.skip(count),
  prefetch: (dataset, { bufferSize = 0 }) => dataset.prefetch(bufferSize),
  cache: (dataset) => dataset.cache(),
  map: (dataset, { fn }) => dataset.map(elementFunctionOf(fn)),
  filter: (dataset, { fn }) => dataset.filter(elementFunctionOf(fn) as (element: unknown) => boolean),
  takeWhile: (dataset, { fn }) => dataset.takeWhile(elementFunctionOf(fn) as (element: unknown) => boolean),
  flatMap: (dataset, { fn }) => dataset.flatMap(elementFunctionOf(fn) as () => Dataset<unknown>),
  interleave: (dataset, { fn, cycleLength, blockLength }) =>
    dataset.interleave(elementFunctionOf(fn) as () => Dataset<unknown>, {
      cycle: cycleLength,
      block: blockLength,
    }),
  enumerate: (dataset, { start }) => dataset.enumerate(start),
  concatenate: (dataset, { with: other }, sourceOf) => dataset.concatenate(sourceOf(other)),
  zipWith: (dataset, { with: other }, sourceOf) => zip(tuple(dataset, sourceOf(other))) as Dataset<unknown>,
  shard: (dataset, { numShards = 0, index = 0 }) => dataset.shard(numShards, index),
  unique: (dataset) => dataset.unique(),
  ignoreErrors: (dataset) => dataset.ignoreErrors(),
  unbatch: (dataset) => dataset.unbatch(),
  scan(dataset, { fn, init = 0 }) {
    const f = scans[String(fn)];
    if (f === undefined) throw new NotBuiltYet(`dataset: scan ${String(fn)}`);
    const initial = Array.isArray(init) ? init.map(BigInt) : BigInt(init as number);
    return dataset.scan<unknown, unknown>(initial, (state, element) => f(state as never, integerOf(element)));
  },
  window: (dataset, { size = 0, shift, stride, dropRemainder, defaults }) =>
    dataset.window(size, defaults === "tensorflow" ? TF_WINDOW : { shift, stride, dropRemainder }),
  filterWindow: (dataset, { minCount = 0 }) =>
    dataset.filter(async (window) => (await firstDataset(window).toArray()).length >= minCount),
  rebatch: (dataset, { batchSizes = [], dropRemainder }) => dataset.rebatch(batchSizes, { dropRemainder }),
  raggedBatch: (dataset, { batchSize = 0, dropRemainder }) =>
    dataset.raggedBatch(batchSize, { dropRemainder }),
  sparseBatch: (dataset, { batchSize = 0, rowShape = [], dropRemainder }) =>
    dataset.sparseBatch(batchSize, rowShape, { dropRemainder }),
  paddedBatch: (dataset, parameters) =>
    dataset.paddedBatch(parameters.batchSize ?? 0, {
      dropRemainder: parameters.dropRemainder,
      shapes: parameters.paddedShapes,
      values: paddingValues(parameters),
    }),
  groupByWindow: (dataset, { keyFn, windowSize = 0, windowSizes, reduce = [] }) =>
    dataset.groupByWindow(elementFunctionOf(keyFn) as () => bigint, {
      windowSize: windowSizes === undefined ? windowSize : (key) => windowSizes[String(key)] ?? 0,
      reduce: (_key, group) => applied(group, reduce),
    }),
  bucketBySequenceLength: (dataset, parameters) => {
    const {
      boundaries = [],
      batchSizes = [],
      padToBoundary,
      noPadding,
      dropRemainder,
      paddingValue,
    } = parameters;
    return dataset.bucketBySequenceLength({
      length: (element) => Number(functionOf({ name: "length" })(element)),
      boundaries,
      batchSizes,
      padToBoundary,
      noPadding,
      dropRemainder,
      values: paddingValue,
    });
  },
};

/**
 * Applies operations in order.
 * @param sourceOf Creates the second dataset of operations such as `concatenate`.
 * @throws {NotBuiltYet} for an unknown operation.
 */
export function applied(
  dataset: Dataset<unknown>,
  operations: readonly OperationJson[],
  sourceOf: SourceOf = noSource,
): Dataset<unknown> {
  return operations.reduce((upstream, operation) => {
    const operator = operators[operation.op];
    if (operator === undefined) throw new NotBuiltYet(`dataset: operation ${operation.op}`);
    return operator(upstream, operation, sourceOf);
  }, dataset);
}

function noSource(): never {
  throw new NotBuiltYet("dataset: a function whose operations need a second dataset");
}
