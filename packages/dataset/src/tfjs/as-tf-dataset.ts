import type { TensorContainer, TfDataModule, TfDataset } from "./tensorflow-data.js";
import { assertArgument, membersOf, rule } from "@tfxio/wire/checks";
import type { Dataset } from "../dataset.js";
import { createIteratorClass, type IteratorClass, type LazyIterator } from "./iterator-class.js";

/** The part of tfjs-data that {@link asTfDataset} uses. Pass `tf.data`, or `import * as tfData from "@tensorflow/tfjs-data"`. */
export type TfData = Pick<TfDataModule, "Dataset" | "array">;

const aDataset = rule(
  "a Dataset of @tfxio/dataset",
  (value) => typeof membersOf(value)["cardinality"] === "function",
);
const aTfData = rule("tf.data, with the functions Dataset and array", (value) =>
  ["Dataset", "array"].every((name) => typeof membersOf(value)[name] === "function"),
);

/**
 * Wraps the dataset in a `Dataset` of tfjs-data. The class of the result extends `data.Dataset`, and the class of its iterators
 * extends `LazyIterator` of the same copy of tfjs-data. Functions that check for these classes, such as `tf.data.zip`, therefore
 * accept the result. Inherited methods such as `map`, `batch` and `concatenate` come from tfjs-data. Elements must be plain
 * values or tensors, so call `withTensors` first. Iterators also have `return()` and `close()`.
 * @param data `tf.data` of the copy of TensorFlow.js that the application uses.
 * @throws {ArgumentError} `invalid-argument` if `dataset` is not a Dataset of this package, or if `data` is not tfjs-data.
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

/** The iterator class for each copy of tfjs-data. The key is the `Dataset` class of the copy. */
const iteratorClasses: WeakMap<TfData["Dataset"], Promise<IteratorClass>> = new WeakMap();

function iteratorClassOf(data: TfData): Promise<IteratorClass> {
  let known = iteratorClasses.get(data.Dataset);
  if (known === undefined) {
    // tfjs-data does not export LazyIterator, so this takes it from an iterator of the same copy.
    known = data
      .array([])
      .iterator()
      .then((living) => createIteratorClass(Object.getPrototypeOf(living.constructor)));
    iteratorClasses.set(data.Dataset, known);
  }
  return known;
}
