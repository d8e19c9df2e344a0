import type { HostColumns } from "@tfxio/tensor-adapter";
import { type Block, blockOfColumns } from "../blocks/block.js";
import { BlockQueue } from "../blocks/block-queue.js";
import type { Cardinality } from "../cardinality.js";
import { assertColumnBlock, type ColumnBlock } from "../blocks/column-block.js";
import type { BlockStream, Pass, Plan } from "../plan.js";
import { FactoryItems, type Items } from "./factory-items.js";

/** Returns the blocks of one pass. Called once per pass, at its first `next()`. */
export type BlockFactory<Columns extends HostColumns = HostColumns> = (options: {
  /**
   * Aborted when the pass closes, even if the pass has reached its end. The factory must then stop waiting and close its
   * resources.
   */
  readonly signal: AbortSignal;
}) => Items<ColumnBlock<Columns>>;

/** Returns a plan of the rows of the factory's blocks. */
export function blocksPlan(factory: BlockFactory, cardinality: Cardinality): Plan {
  return {
    node: { name: "fromBlocks", settings: [cardinality], inputs: [] },
    cardinality: () => cardinality,
    tf: undefined,
    reshuffles: false,
    moved: { arrowSchema: undefined },
    open: (pass) => new BlocksStream(factory, pass),
  };
}

class BlocksStream implements BlockStream {
  readonly #items: FactoryItems<ColumnBlock>;
  readonly #pass: Pass;
  readonly #ready: BlockQueue = new BlockQueue();

  constructor(factory: BlockFactory, pass: Pass) {
    const { signal } = pass;
    this.#items = new FactoryItems(() => factory({ signal }), "fromBlocks", signal);
    this.#pass = pass;
  }

  async read(maxRows: number): Promise<Block | null> {
    for (;;) {
      const pause = this.#pass.pacer.pause(this.#pass.signal);
      if (pause !== undefined) await pause;
      const rows = this.#ready.read(maxRows);
      if (rows !== null) return rows;
      const next = await this.#items.next();
      if (next === null) return null;
      const [block] = next;
      assertColumnBlock(block, "fromBlocks", "factory");
      if (block.numRows > 0) this.#ready.push(blockOfColumns(block));
    }
  }

  async close(): Promise<void> {
    this.#ready.dispose();
    await this.#items.close();
  }
}
