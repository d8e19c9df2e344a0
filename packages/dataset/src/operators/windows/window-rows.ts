import type { Tensor } from "@tfxio/tensor-adapter";
import { type Block, blockOfItems, isBatchRows, isItemRows, sliceBlock } from "../../blocks/block.js";
import { cloneTensors, tensorsOf } from "../../columns/structure.js";
import type { BlockStream, Pass, Plan } from "../../plan.js";

/**
 * Returns a plan of the rows of a window or group. The plan can be opened any number of times. It owns clones of the tensors in
 * `parts`. These clones are disposed after the plan is garbage-collected. Every read returns further clones.
 */
export function windowRowsPlan(parts: readonly Block[], upstream: Plan): Plan {
  const owned = parts.map(withClones);
  const numRows = parts.reduce((total, part) => total + part.numRows, 0);
  const plan: Plan = {
    node: { name: "window", settings: [numRows], inputs: [] },
    cardinality: () => numRows,
    tf: upstream.tf,
    reshuffles: false,
    moved: { arrowSchema: parts.every(isBatchRows) ? upstream.moved?.arrowSchema : undefined },
    open: (pass) => new WindowRowsStream(owned, pass),
  };
  const tensors = owned.filter(isItemRows).flatMap(({ items }) => items.flatMap((item) => tensorsOf(item)));
  if (tensors.length > 0) dropped.register(owned, tensors);
  return plan;
}

/**
 * Disposes the tensors of windows that were garbage-collected. Holds the tensors and not a closure that disposes them, because
 * all closures created in one call share the variables of that call. Such a closure would keep the window alive.
 */
const dropped: FinalizationRegistry<readonly Tensor[]> = new FinalizationRegistry((tensors) => {
  for (const tensor of tensors) tensor.dispose();
});

/** Returns the block with clones of its tensors. */
function withClones(block: Block): Block {
  return isItemRows(block) ? blockOfItems(block.items.map(cloneTensors)) : block;
}

class WindowRowsStream implements BlockStream {
  readonly #parts: readonly Block[];
  readonly #pass: Pass;
  #part = 0;
  #row = 0;

  constructor(parts: readonly Block[], pass: Pass) {
    this.#parts = parts;
    this.#pass = pass;
  }

  async read(maxRows: number): Promise<Block | null> {
    const pause = this.#pass.pacer.pause(this.#pass.signal);
    if (pause !== undefined) await pause;
    const part = this.#parts[this.#part];
    if (part === undefined) return null;
    const end = Math.min(part.numRows, this.#row + maxRows);
    const rows = withClones(sliceBlock(part, this.#row, end));
    if (end === part.numRows) {
      this.#part++;
      this.#row = 0;
    } else this.#row = end;
    return rows;
  }

  async close(): Promise<void> {
    this.#part = this.#parts.length;
  }
}
