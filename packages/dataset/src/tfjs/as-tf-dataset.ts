import type { TensorContainer, TfDataModule, TfDataset } from "./tensorflow-data.js";
import { assertArgument, membersOf, rule } from "@tfxio/wire/checks";
import type { Dataset } from "../dataset.js";
import { createIteratorClass, type IteratorClass, type LazyIterator } from "./iterator-class.js";

/** The required part of tfjs-data: `tf.data`, or `import * as tfData from "@tensorflow/tfjs-data"`. */
export type TfData = Pick<TfDataModule, "Dataset" | "array">;

const aDataset = rule(
  "a Dataset of @tfxio/dataset",
  (value) => typeof membersOf(value)["cardinality"] === "function",
);
const aTfData = rule("tf.data, with Dataset and array", (value) =>
  ["Dataset", "array"].every((name) => typeof membersOf(value)[name] === "function"),
);

/**
 * Wraps the dataset as a subclass of the application's tfjs-data `Dataset`. Its iterators are subclasses of the same copy's
 * `LazyIterator`, so `tf.data.zip`, `concatenate` and other `instanceof` checks accept it. Inherited methods such as `map`,
 * `batch` and `forEachAsync` come from tfjs. Elements must be plain values or tensors: apply `withTensors` first.
 * Iterators also have `return()` and `close()`.
 * @param data `tf.data` of the copy that the application uses.
 * @throws {ArgumentError} `invalid-argument` when `dataset` is not a Dataset of this package or `data` is not tfjs-data.
 */
export function asTfDataset(dataset: Dataset<unknown>, data: TfData): TfDataset {
  assertArgument("dataset", dataset, aDataset, "asTfDataset");
  assertArgument("data", data, aTfData, "asTfDataset");
  class EngineDataset extends data.Dataset<TensorContainer> {
    override readonly size: number = dataset.size;

    async iterator(): Promise<LazyIterator> {
      const EngineIterator = await iteratorClassOf(data);
      return new EngineIterator(await dataset.iterator());
    }
  }
  return new EngineDataset();
}

/** One class per copy of tfjs-data. */
const iteratorClasses: WeakMap<TfData["Dataset"], Promise<IteratorClass>> = new WeakMap();

function iteratorClassOf(data: TfData): Promise<IteratorClass> {
  let known = iteratorClasses.get(data.Dataset);
  if (known === undefined) {
    // tfjs-data does not export LazyIterator, so take it from an iterator of the same copy.
    known = data
      .array([])
      .iterator()
      .then((living) => createIteratorClass(Object.getPrototypeOf(living.constructor)));
    iteratorClasses.set(data.Dataset, known);
  }
  return known;
}
