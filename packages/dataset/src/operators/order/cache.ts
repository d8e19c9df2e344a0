import type { PassCount } from "../../checkpoint/pass-count.js";
import { nodeOn, passCountsOf } from "../../checkpoint/plan-node.js";
import { dropRows, skipRows } from "../../checkpoint/skip-rows.js";
import { ArgumentError } from "@tfxio/wire";
import { type Block, blockOfItems, isBatchRows, isItemRows, sliceBlock } from "../../blocks/block.js";
import { disposeElements, tensorsOf } from "../../columns/structure.js";
import { Failure } from "../../failure.js";
import type { BlockStream, Pass, Plan } from "../../plan.js";

/** The stored elements, shared by all passes of one dataset. */
interface Cache {
  /** The blocks of the first complete pass. Undefined until then. */
  blocks: readonly Block[] | undefined;
  /** For each pass counter of an upstream operator, the first of the numbers that the stored pass took from it. */
  passes: ReadonlyMap<PassCount, number>;
  /** True while a pass collects its blocks. */
  isFilling: boolean;
}

/** Stores the blocks of the first complete pass in memory. Later passes return the same blocks, not copies. */
export function cachePlan(upstream: Plan): Plan {
  const cache: Cache = { blocks: undefined, passes: new Map(), isFilling: false };
  return {
    ...upstream,
    node: { ...nodeOn(upstream, "cache"), isRegular: false },
    cardinality: () =>
      cache.blocks?.reduce((total, { numRows }) => total + numRows, 0) ?? upstream.cardinality(),
    // Later passes repeat the order of the stored pass.
    reshuffles: false,
    open: (pass) => new CacheStream(upstream, pass, cache),
  };
}

class CacheStream implements BlockStream {
  readonly #upstream: Plan;
  readonly #pass: Pass;
  readonly #cache: Cache;
  /** `"filling"` collects the blocks that it reads, and `"reading"` only returns them. */
  #mode: "new" | "cached" | "filling" | "reading" = "new";
  #source: BlockStream | undefined;
  #collected: Block[] = [];
  #blockIndex = 0;
  #row = 0;

  constructor(upstream: Plan, pass: Pass, cache: Cache) {
    this.#upstream = upstream;
    this.#pass = pass;
    this.#cache = cache;
  }

  async read(maxRows: number): Promise<Block | null> {
    if (this.#mode === "new") this.#start();
    if (this.#mode === "cached") return this.#readCached(maxRows);
    const block = (await this.#source?.read(maxRows)) ?? null;
    if (this.#mode !== "filling") return block;
    if (block !== null) this.#collect(block);
    else {
      this.#cache.blocks = this.#collected;
      const { log } = this.#pass;
      const counts = passCountsOf(this.#upstream);
      this.#cache.passes = new Map(counts.map((count) => [count, log.firstOf(count)]));
      this.#endFilling();
    }
    return block;
  }

  async skip(numRows: number): Promise<number> {
    if (this.#mode === "new") this.#start();
    if (this.#mode !== "reading" || this.#source === undefined) return dropRows(this, numRows);
    return skipRows(this.#source, numRows);
  }

  async close(): Promise<void> {
    this.#endFilling();
    await this.#source?.close();
  }

  #start(): void {
    if (this.#cache.blocks !== undefined) {
      if (this.#pass.keepsRecordBatches === true && !this.#cache.blocks.every(isBatchRows)) {
        throw new ArgumentError(
          "invalid-argument",
          "recordBatches: the cached rows have been converted to columns. " +
            "Call recordBatches on the original dataset, not on the result of cache.",
          { reason: "not-record-batches" },
        );
      }
      this.#mode = "cached";
      for (const [count, first] of this.#cache.passes) this.#pass.log.standFor(count, first);
      return;
    }
    // If another pass is filling the cache, this pass does not wait for it, and stores nothing.
    this.#mode = this.#cache.isFilling ? "reading" : "filling";
    this.#cache.isFilling = true;
    this.#source = this.#upstream.open(this.#pass);
  }

  #collect(block: Block): void {
    if (!isItemRows(block)) this.#collected.push(block);
    else {
      if (block.items.some((element) => tensorsOf(element).length > 0)) {
        disposeElements(block.items);
        throw new ArgumentError(
          "invalid-argument",
          "cache: elements must not contain tensors. Call cache before withTensors.",
        );
      }
      this.#collected.push(blockOfItems([...block.items]));
      // A failed element may succeed in a later pass, so this pass is not stored.
      if (block.items.some((element) => element instanceof Failure)) this.#endFilling();
    }
  }

  #readCached(maxRows: number): Block | null {
    const blocks = this.#cache.blocks as readonly Block[];
    const block = blocks[this.#blockIndex];
    if (block === undefined) return null;
    const end = Math.min(block.numRows, this.#row + maxRows);
    const rows = sliceBlock(block, this.#row, end);
    const isWhole = end === block.numRows;
    if (isWhole) this.#blockIndex++;
    this.#row = isWhole ? 0 : end;
    return rows;
  }

  /** Stops collecting. Drops the elements of an incomplete pass. */
  #endFilling(): void {
    if (this.#mode === "filling") {
      this.#cache.isFilling = false;
      this.#mode = "reading";
    }
    this.#collected = [];
  }
}
