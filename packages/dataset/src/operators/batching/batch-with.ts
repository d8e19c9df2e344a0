import { nodeOn } from "../../checkpoint/plan-node.js";
import { batchElements, type BatcherFor } from "../../batchers/batch-elements.js";
import { isTfxioError } from "@tfxio/wire";
import { type Block, blockOfItems, disposeBlock, itemsOf } from "../../blocks/block.js";
import { batchedCount } from "../../cardinality.js";
import { disposeElements } from "../../columns/structure.js";
import { Failure } from "../../failure.js";
import type { BlockStream, Pass, Plan, TensorFlow } from "../../plan.js";
import { collectRows } from "./collect-rows.js";

/** How elements become batches. */
export interface BatchWithSettings {
  readonly operator: string;
  readonly size: number;
  readonly dropRemainder: boolean;
  /** The batcher of a component, by its path. */
  readonly batcherFor: BatcherFor;
}

/** `size` elements at a time made one, each component by a batcher of its own. */
export function batchWithPlan(upstream: Plan, settings: BatchWithSettings): Plan {
  const { size, dropRemainder } = settings;
  return {
    ...upstream,
    node: nodeOn(upstream, settings.operator, [size, dropRemainder]),
    cardinality: () => batchedCount(upstream.cardinality(), size, dropRemainder),
    moved: undefined,
    open: (pass) => new BatchWithStream(upstream, pass, settings),
  };
}

class BatchWithStream implements BlockStream {
  readonly #upstream: BlockStream;
  readonly #tf: TensorFlow | undefined;
  readonly #settings: BatchWithSettings;
  #elementIndex = 0;

  constructor(upstream: Plan, pass: Pass, settings: BatchWithSettings) {
    this.#upstream = upstream.open(pass);
    this.#tf = upstream.tf;
    this.#settings = settings;
  }

  async read(): Promise<Block | null> {
    const { size, dropRemainder } = this.#settings;
    const rows = await collectRows(this.#upstream, size, dropRemainder);
    if (rows === undefined) return null;
    const elementIndex = this.#elementIndex;
    this.#elementIndex += rows.numRows;
    return blockOfItems([this.#batch(rows.parts, elementIndex)]);
  }

  async close(): Promise<void> {
    await this.#upstream.close();
  }

  #batch(parts: readonly Block[], elementIndex: number): unknown {
    try {
      const elements = parts.flatMap(itemsOf);
      const failure = elements.find((element) => element instanceof Failure);
      if (failure !== undefined) {
        disposeElements(elements);
        return failure;
      }
      const { operator, batcherFor } = this.#settings;
      const batch = batchElements(elements, batcherFor, { operator, elementIndex, path: "", tf: this.#tf });
      disposeElements(elements);
      return batch;
    } catch (error) {
      parts.forEach(disposeBlock);
      // No batch of this component will ever do.
      if (isTfxioError(error, "schema-mismatch")) throw error;
      return new Failure(error);
    }
  }
}
