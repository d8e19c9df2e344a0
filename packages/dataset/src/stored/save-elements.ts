import { loadStored } from "#stored";
import { blockOfItems, disposeBlock, type Block, isItemRows } from "../blocks/block.js";
import { describePlan, nodeOn } from "../checkpoint/plan-node.js";
import { Failure } from "../failure.js";
import { collectRows } from "../operators/batching/collect-rows.js";
import type { BlockStream, Pass, Plan } from "../plan.js";
import type { Stored } from "./load-node.js";

/** Maximum number of elements per record batch, unless `CHUNK_ROWS` applies. */
const CHUNK_ELEMENTS = 256;
/**
 * Maximum number of elements per record batch if the elements are still rows of columns or record batches, because no operator
 * has changed them.
 */
const CHUNK_ROWS = 8192;

/** Result of {@link Dataset.save}. */
export interface SaveSummary {
  readonly numElements: number;
  /** Size of the Arrow file in bytes; 0 for an empty dataset. */
  readonly numBytes: number;
}

/** Returns a plan that writes all elements of `upstream` to a folder when read. Its only element is the {@link SaveSummary}. */
export function savingPlan(upstream: Plan, folder: string): Plan {
  return {
    ...upstream,
    node: nodeOn(upstream, "save"),
    moved: undefined,
    open: (pass) => new SavingStream(upstream, pass, folder),
  };
}

class SavingStream implements BlockStream {
  readonly #upstream: BlockStream;
  readonly #pass: Pass;
  readonly #folder: string;
  readonly #plan: string;
  readonly #chunkRows: number;
  #stored: Stored | undefined;
  #writer: InstanceType<Stored["StoredWriter"]> | undefined;
  #isDone = false;

  constructor(upstream: Plan, pass: Pass, folder: string) {
    this.#upstream = upstream.open(pass);
    this.#pass = pass;
    this.#folder = folder;
    this.#plan = describePlan(upstream);
    this.#chunkRows = upstream.moved === undefined ? CHUNK_ELEMENTS : CHUNK_ROWS;
  }

  async read(): Promise<Block | null> {
    if (this.#isDone) return null;
    this.#stored ??= await loadStored();
    const { assertNothingStored, StoredWriter } = this.#stored;
    if (this.#writer === undefined) await assertNothingStored(this.#folder);
    this.#writer ??= new StoredWriter(this.#folder, this.#plan);
    while (await this.#writeChunk(this.#stored, this.#writer)) {
      const pause = this.#pass.pacer.pause(this.#pass.signal);
      if (pause !== undefined) await pause;
    }
    this.#pass.signal.throwIfAborted();
    // If a concurrent save has finished first, this save fails and leaves the other's elements unchanged.
    await assertNothingStored(this.#folder);
    const { numElements, numBytes } = await this.#writer.commit();
    this.#isDone = true;
    const summary: SaveSummary = { numElements, numBytes };
    return blockOfItems([summary]);
  }

  async close(): Promise<void> {
    if (!this.#isDone) await this.#writer?.discard();
    await this.#upstream.close();
  }

  async #writeChunk(
    { storedRowsOf }: Stored,
    writer: InstanceType<Stored["StoredWriter"]>,
  ): Promise<boolean> {
    const rows = await collectRows(this.#upstream, this.#chunkRows, false);
    if (rows === undefined) return false;
    try {
      for (const part of rows.parts) {
        const failure = isItemRows(part) ? part.items.find((item) => item instanceof Failure) : undefined;
        if (failure instanceof Failure) throw failure.error;
      }
      await writer.write(storedRowsOf(rows.parts, writer.numElements));
    } finally {
      rows.parts.forEach(disposeBlock);
    }
    return true;
  }
}
