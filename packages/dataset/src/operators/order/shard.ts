import { nodeOn } from "../../checkpoint/plan-node.js";
import { type Block, blockOfItems, gatherRows, isItemRows } from "../../blocks/block.js";
import { disposeElements } from "../../columns/structure.js";
import { mapCount } from "../../cardinality.js";
import { skipRows } from "../../checkpoint/skip-rows.js";
import type { BlockStream, Pass, Plan } from "../../plan.js";

/** Keeps every `numShards`-th element, starting at position `index`, counted from 0. */
export function shardPlan(upstream: Plan, numShards: number, index: number): Plan {
  return {
    ...upstream,
    node: nodeOn(upstream, "shard", [numShards, index]),
    cardinality: () =>
      mapCount(upstream.cardinality(), (n) => Math.max(0, Math.ceil((n - index) / numShards))),
    open: (pass) => new ShardStream(upstream, pass, numShards, index),
  };
}

class ShardStream implements BlockStream {
  readonly #upstream: BlockStream;
  readonly #numShards: number;
  /** Number of upstream rows before the next row of this shard. */
  #numBefore: number;

  constructor(upstream: Plan, pass: Pass, numShards: number, index: number) {
    this.#upstream = upstream.open(pass);
    this.#numShards = numShards;
    this.#numBefore = index;
  }

  async read(maxRows: number): Promise<Block | null> {
    const numWanted = this.#numWanted(maxRows);
    for (;;) {
      const block = await this.#upstream.read(numWanted);
      if (block === null) return null;
      const rows = this.#rowsOf(block.numRows);
      const kept = select(block, rows);
      if (kept !== undefined) return kept;
    }
  }

  async skip(numRows: number): Promise<number> {
    return this.#advance(await skipRows(this.#upstream, this.#numWanted(numRows)));
  }

  async close(): Promise<void> {
    await this.#upstream.close();
  }

  /** Returns the indices of the rows of this shard in the next `numRows` upstream rows, and advances past those. */
  #rowsOf(numRows: number): Uint32Array {
    const first = this.#numBefore;
    return Uint32Array.from({ length: this.#advance(numRows) }, (_, k) => first + k * this.#numShards);
  }

  /** Advances by `numRows` upstream rows. Returns how many of them belong to this shard. */
  #advance(numRows: number): number {
    const count = Math.max(0, Math.ceil((numRows - this.#numBefore) / this.#numShards));
    this.#numBefore += count * this.#numShards - numRows;
    return count;
  }

  /** Returns the number of upstream rows up to and including the next `numRows` rows of this shard. */
  #numWanted(numRows: number): number {
    return Math.min(Number.MAX_SAFE_INTEGER, this.#numBefore + (numRows - 1) * this.#numShards + 1);
  }
}

/** Returns the given rows of a block, and disposes all others. Returns undefined if `rows` is empty. */
function select(block: Block, rows: Uint32Array): Block | undefined {
  if (rows.length === block.numRows) return block;
  if (isItemRows(block)) {
    const kept = new Set(rows);
    disposeElements(block.items.filter((_, row) => !kept.has(row)));
    return rows.length === 0 ? undefined : blockOfItems(Array.from(rows, (row) => block.items[row]));
  }
  return rows.length === 0 ? undefined : gatherRows([block], new Uint32Array(rows.length), rows);
}
