import type { TensorContainer } from "@tensorflow/tfjs-core";
import type * as tfData from "@tensorflow/tfjs-data";
import { ArgumentError } from "@tfxio/wire";
import type { Dataset } from "../dataset.js";
import { createIteratorClass, type IteratorClass, type LazyIterator } from "./iterator-class.js";

/** What is needed of tfjs-data: `tf.data`, or `import * as tfData from "@tensorflow/tfjs-data"`. */
export type TfData = Pick<typeof tfData, "Dataset" | "array">;

/**
 * The dataset as a true subclass of the application's own tfjs-data `Dataset`, whose iterators are subclasses of that
 * copy's `LazyIterator`: `tf.data.zip`, `concatenate` and whatever else checks with `instanceof` takes it. Inherited
 * methods (`map`, `batch`, `forEachAsync` …) are tfjs' own. Elements have to be what tfjs works with, plain values and
 * tensors: apply `withTensors` before. Iterators also have `return()` and `close()`.
 * @param data `tf.data` of the copy that the application uses.
 * @throws {ArgumentError} `invalid-argument` when `dataset` is no dataset of ours or `data` is not tfjs-data.
 */
export function asTfDataset(dataset: Dataset<unknown>, data: TfData): tfData.Dataset<TensorContainer> {
  if (typeof dataset?.cardinality !== "function") {
    throw new ArgumentError(
      "invalid-argument",
      "asTfDataset: dataset has no function cardinality, expected a Dataset of @tfxio/dataset",
      { argument: "dataset" },
    );
  }
  if (typeof data?.Dataset !== "function" || typeof data.array !== "function") {
    throw new ArgumentError(
      "invalid-argument",
      "asTfDataset: data has no Dataset and array, expected tf.data",
      {
        argument: "data",
      },
    );
  }
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
    // LazyIterator is not exported; a living iterator of the same copy leads to it.
    known = data
      .array([])
      .iterator()
      .then((living) => createIteratorClass(Object.getPrototypeOf(living.constructor)));
    iteratorClasses.set(data.Dataset, known);
  }
  return known;
}
