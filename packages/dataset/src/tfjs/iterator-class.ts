import type { TensorContainer, TfDataset } from "./tensorflow-data.js";
import type { DatasetIterator } from "../dataset-iterator.js";

/** The base class of all tfjs-data iterators. Its type is taken from the return type of `iterator()`. */
export type LazyIterator = Awaited<ReturnType<TfDataset["iterator"]>>;

/** The constructor of a `LazyIterator` that wraps a {@link DatasetIterator}. */
export type IteratorClass = new (iterator: DatasetIterator<unknown>) => LazyIterator;

/** Creates a subclass of the `LazyIterator` of one tfjs-data copy. */
export function createIteratorClass(base: abstract new () => LazyIterator): IteratorClass {
  return class EngineIterator extends base {
    // An ordinary field, because `concatenate` clones iterators field by field, and clones lack #private fields. The field holds
    // a function, because cloning stops at functions. Otherwise, cloning would copy the buffers too.
    readonly iterator: () => DatasetIterator<unknown>;

    constructor(iterator: DatasetIterator<unknown>) {
      super();
      this.iterator = () => iterator;
    }

    summary(): string {
      return "@tfxio/dataset";
    }

    next(): Promise<IteratorResult<TensorContainer>> {
      return this.iterator().next() as Promise<IteratorResult<TensorContainer>>;
    }

    return(): Promise<IteratorResult<TensorContainer>> {
      return this.iterator().return() as Promise<IteratorResult<TensorContainer>>;
    }

    close(): Promise<void> {
      return this.iterator().close();
    }

    [Symbol.asyncIterator](): this {
      return this;
    }
  };
}
