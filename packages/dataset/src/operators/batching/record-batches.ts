import { nodeOn } from "../../checkpoint/plan-node.js";
import type { RecordBatch } from "apache-arrow";
import { joinBatchRows } from "../../blocks/batch-rows.js";
import { type Block, blockOfItems, isBatchRows } from "../../blocks/block.js";
import type { BlockStream, Pass, Plan } from "../../plan.js";
import { collectRows } from "./collect-rows.js";

/**
 * Returns a plan that yields the rows of `upstream` as record batches. Each batch is one element. All rows must still be in
 * record batches.
 * @param size Number of rows per batch. Undefined to return each block of `upstream` as one batch.
 */
export function rebatchPlan(upstream: Plan, size: number | undefined, dropRemainder: boolean): Plan {
  return {
    node: nodeOn(upstream, "recordBatches", [size ?? null, dropRemainder]),
    cardinality: () => "unknown",
    tf: undefined,
    reshuffles: false,
    moved: undefined,
    open: (pass) => new RebatchStream(upstream, pass, size, dropRemainder),
  };
}

class RebatchStream implements BlockStream {
  readonly #upstream: BlockStream;
  readonly #size: number | undefined;
  readonly #dropRemainder: boolean;

  constructor(upstream: Plan, pass: Pass, size: number | undefined, dropRemainder: boolean) {
    this.#upstream = upstream.open({ ...pass, keepsRecordBatches: true });
    this.#size = size;
    this.#dropRemainder = dropRemainder;
  }

  async read(): Promise<Block | null> {
    const parts = await this.#nextParts();
    return parts === undefined ? null : blockOfItems([joined(parts)]);
  }

  async close(): Promise<void> {
    await this.#upstream.close();
  }

  async #nextParts(): Promise<readonly Block[] | undefined> {
    if (this.#size !== undefined) {
      return (await collectRows(this.#upstream, this.#size, this.#dropRemainder))?.parts;
    }
    const block = await this.#upstream.read(Number.MAX_SAFE_INTEGER);
    return block === null ? undefined : [block];
  }
}

function joined(parts: readonly Block[]): RecordBatch {
  if (parts.every(isBatchRows)) return joinBatchRows(parts);
  throw new Error(
    "a plan with an Arrow schema must return its rows in record batches, but returned rows in another form",
  );
}
