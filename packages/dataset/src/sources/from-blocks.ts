import type { HostColumns } from "@tfxio/tensor-adapter";
import { isTfxioError, UserFunctionError } from "@tfxio/wire";
import { abortable } from "../abortable.js";
import { type Block, blockOfColumns, blockOfItems, sliceBlock } from "../block.js";
import type { Cardinality } from "../cardinality.js";
import type { ColumnBlock } from "../column-block.js";
import type { BlockStream, Pass, Plan } from "../plan.js";

/** Makes the blocks of one pass; called once per pass, at its first `next()`. */
export type BlockFactory<Columns extends HostColumns = HostColumns> = (options: {
  /** Aborted when the pass ends early: stop waiting, close what is open. */
  readonly signal: AbortSignal;
}) => AsyncIterable<ColumnBlock<Columns>> | Iterable<ColumnBlock<Columns>>;

/** Rows of column batches that a factory makes. */
export function blocksPlan(factory: BlockFactory, cardinality: Cardinality): Plan {
  return { cardinality, tf: undefined, open: (pass) => new BlocksStream(factory, pass) };
}

class BlocksStream implements BlockStream {
  readonly #factory: BlockFactory;
  readonly #pass: Pass;
  #iterator: AsyncIterator<ColumnBlock> | Iterator<ColumnBlock> | undefined;
  #isWaiting = false;
  #block: Block = blockOfItems([]);
  #position = 0;

  constructor(factory: BlockFactory, pass: Pass) {
    this.#factory = factory;
    this.#pass = pass;
  }

  async read(maxRows: number): Promise<Block | null> {
    do {
      const pause = this.#pass.pacer.pause(this.#pass.signal);
      if (pause !== undefined) await pause;
      if (this.#position < this.#block.numRows) break;
      const block = await this.#nextBlock();
      if (block === null) return null;
      this.#block = blockOfColumns(block);
      this.#position = 0;
    } while (this.#block.numRows === 0);
    const end = Math.min(this.#block.numRows, this.#position + maxRows);
    const rows = sliceBlock(this.#block, this.#position, end);
    this.#position = end;
    return rows;
  }

  async close(): Promise<void> {
    this.#block = blockOfItems([]);
    this.#position = 0;
    const returned = this.#iterator?.return?.();
    // A generator that waits for something it was told to give up would keep its return() waiting too.
    if (this.#isWaiting) Promise.resolve(returned).catch(() => undefined);
    else await returned;
  }

  async #nextBlock(): Promise<ColumnBlock | null> {
    const { signal } = this.#pass;
    try {
      this.#iterator ??= iteratorOf(this.#factory({ signal }));
      this.#isWaiting = true;
      const result = await abortable(Promise.resolve(this.#iterator.next()), signal, () => undefined);
      this.#isWaiting = false;
      return result.done === true ? null : result.value;
    } catch (error) {
      this.#isWaiting &&= signal.aborted;
      if (signal.aborted || isTfxioError(error)) throw error;
      throw new UserFunctionError(`fromBlocks: the factory's blocks failed: ${String(error)}`, {
        operator: "fromBlocks",
        cause: error,
      });
    }
  }
}

function iteratorOf(
  blocks: AsyncIterable<ColumnBlock> | Iterable<ColumnBlock>,
): AsyncIterator<ColumnBlock> | Iterator<ColumnBlock> {
  return Symbol.asyncIterator in blocks ? blocks[Symbol.asyncIterator]() : blocks[Symbol.iterator]();
}
