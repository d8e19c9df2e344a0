import { isTfxioError } from "@tfxio/wire";
import { batchElements, type BatcherFor } from "../../batchers/batch-elements.js";
import { type Block, disposeBlock, itemsOf } from "../../blocks/block.js";
import { disposeElements } from "../../columns/structure.js";
import { Failure } from "../../failure.js";
import type { Plan } from "../../plan.js";
import { type BatchSize, collectedBatchesPlan } from "./collected-batches.js";

/** Settings of {@link batchWithPlan}: the batch size, and the batchers of components. */
export interface BatchWithSettings extends BatchSize {
  /** Returns the batcher for the component at a path. */
  readonly batcherFor: BatcherFor;
}

/**
 * Combines every `size` elements into one batch, each component with its own batcher. If an element or a batcher fails, a
 * `Failure` takes the place of the batch, but a `schema-mismatch` of a batcher ends the pass.
 */
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
      // Later batches of this component would fail for the same reason, so the error ends the pass.
      if (isTfxioError(error, "schema-mismatch")) throw error;
      return new Failure(error);
    }
  };
  return collectedBatchesPlan(upstream, batchSize, batch);
}
