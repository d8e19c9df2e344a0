import { isTfxioError } from "@tfxio/wire";
import { batchElements, type BatcherFor } from "../../batchers/batch-elements.js";
import { type Block, disposeBlock, itemsOf } from "../../blocks/block.js";
import { disposeElements } from "../../columns/structure.js";
import { Failure } from "../../failure.js";
import type { Plan } from "../../plan.js";
import { type BatchSize, collectedBatchesPlan } from "./collected-batches.js";

/** Settings of a batch that combines components with batchers. */
export interface BatchWithSettings extends BatchSize {
  /** Returns the batcher for a component path. */
  readonly batcherFor: BatcherFor;
}

/** Combines `size` elements into one, each component with its own batcher. */
export function batchWithPlan(upstream: Plan, { batcherFor, ...batchSize }: BatchWithSettings): Plan {
  const { operator } = batchSize;
  const { tf } = upstream;
  const batch = (parts: readonly Block[], elementIndex: number): unknown => {
    try {
      const elements = parts.flatMap(itemsOf);
      const failure = elements.find((element) => element instanceof Failure);
      const made = failure ?? batchElements(elements, batcherFor, { operator, elementIndex, path: "", tf });
      disposeElements(elements);
      return made;
    } catch (error) {
      parts.forEach(disposeBlock);
      // Every later batch of this component would fail too, so the error ends the pass.
      if (isTfxioError(error, "schema-mismatch")) throw error;
      return new Failure(error);
    }
  };
  return collectedBatchesPlan(upstream, batchSize, batch);
}
