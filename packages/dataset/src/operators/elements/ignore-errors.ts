import { nodeOn } from "../../checkpoint/plan-node.js";
import { type Block, blockOfItems, isItemRows, itemsOf } from "../../blocks/block.js";
import { disposeElements } from "../../columns/structure.js";
import { Failure } from "../../failure.js";
import type { BlockStream, Pass, Plan } from "../../plan.js";
import { convertedRows, isBatchRows } from "../../blocks/block.js";

/** Settings of {@link ignoreErrorsPlan}. */
export interface IgnoreErrorsSettings {
  /** Receives each ignored error. */
  readonly log: ((error: unknown) => void) | undefined;
  /** Maximum number of ignored errors in a pass. The next error ends the pass. */
  readonly max: number;
}

/** Drops failed elements. */
export function ignoreErrorsPlan(upstream: Plan, settings: IgnoreErrorsSettings): Plan {
  return {
    ...upstream,
    node: nodeOn(upstream, "ignoreErrors"),
    cardinality: () => (upstream.cardinality() === "infinite" ? "infinite" : "unknown"),
    moved: undefined,
    open: (pass) => new IgnoreErrorsStream(upstream, pass, settings),
  };
}

class IgnoreErrorsStream implements BlockStream {
  readonly #upstream: BlockStream;
  readonly #settings: IgnoreErrorsSettings;
  #numLeft: number;

  constructor(upstream: Plan, pass: Pass, settings: IgnoreErrorsSettings) {
    this.#upstream = upstream.open(pass);
    this.#settings = settings;
    this.#numLeft = settings.max;
  }

  async read(maxRows: number): Promise<Block | null> {
    for (;;) {
      const block = await this.#upstream.read(maxRows);
      if (block === null) return null;
      const kept = this.#withoutFailures(block);
      if (kept.numRows > 0) return kept;
    }
  }

  async close(): Promise<void> {
    await this.#upstream.close();
  }

  /** Returns the rows of a block, except those that failed. Throws the first error after `max` ignored ones. */
  #withoutFailures(block: Block): Block {
    // A row of a record batch can fail only when it is converted, so the rows must be converted here.
    const rows = isBatchRows(block) ? blockOfItems([...convertedRows(block)].flatMap(itemsOf)) : block;
    if (!isItemRows(rows) || !rows.items.some((element) => element instanceof Failure)) return rows;
    const kept: unknown[] = [];
    for (const element of rows.items) {
      if (!(element instanceof Failure)) kept.push(element);
      else if (this.#numLeft-- <= 0) {
        disposeElements(rows.items);
        throw element.error;
      } else this.#settings.log?.(element.error);
    }
    return blockOfItems(kept);
  }
}
