import { dropRows, skipRows } from "../../checkpoint/skip-rows.js";
import { nodeOn } from "../../checkpoint/plan-node.js";
import type { Block } from "../../blocks/block.js";
import { BlockQueue } from "../../blocks/block-queue.js";
import type { BlockStream, Pass, Plan } from "../../plan.js";

/** Reads up to `numBlocks` blocks ahead, each with at most as many rows as the last `read` requested. */
export function prefetchPlan(upstream: Plan, numBlocks: number): Plan {
  return {
    node: nodeOn(upstream, "prefetch"),
    cardinality: upstream.cardinality,
    tf: upstream.tf,
    reshuffles: upstream.reshuffles,
    moved: upstream.moved,
    open: (pass) => new PrefetchStream(upstream, pass, numBlocks),
  };
}

class PrefetchStream implements BlockStream {
  readonly #abort: AbortController = new AbortController();
  readonly #upstream: BlockStream;
  readonly #numBlocks: number;
  readonly #ready: BlockQueue = new BlockQueue();
  #maxRows = 1;
  #isEnded = false;
  #failure: { readonly error: unknown } | undefined;
  #reading: Promise<void> | undefined;
  #wake: () => void = () => undefined;

  constructor(upstream: Plan, pass: Pass, numBlocks: number) {
    // A separate signal, because a pending read must also stop if only this stream is closed.
    const signal = AbortSignal.any([pass.signal, this.#abort.signal]);
    this.#upstream = upstream.open({ ...pass, signal });
    this.#numBlocks = numBlocks;
  }

  async read(maxRows: number): Promise<Block | null> {
    this.#maxRows = maxRows;
    for (;;) {
      const block = this.#ready.read(maxRows);
      if (block !== null) {
        this.#startReading();
        return block;
      }
      if (this.#failure !== undefined) throw this.#failure.error;
      if (this.#isEnded) return null;
      const arrival = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#startReading();
      await arrival;
    }
  }

  /** Skips upstream rows directly if nothing has been read ahead. Otherwise reads the rows and drops them. */
  async skip(numRows: number): Promise<number> {
    const isUntouched =
      this.#ready.length === 0 && this.#reading === undefined && this.#failure === undefined;
    return isUntouched && !this.#isEnded ? skipRows(this.#upstream, numRows) : dropRows(this, numRows);
  }

  async close(): Promise<void> {
    this.#isEnded = true;
    this.#abort.abort();
    await this.#reading;
    this.#ready.dispose();
    await this.#upstream.close();
  }

  #startReading(): void {
    if (this.#hasRoom()) this.#reading ??= this.#readAhead();
  }

  #hasRoom(): boolean {
    return !this.#isEnded && this.#ready.length < this.#numBlocks;
  }

  /** Reads until the queue is full or the input ends. Never rejects. `read` throws any error later, once the queue is empty. */
  async #readAhead(): Promise<void> {
    try {
      while (this.#hasRoom()) {
        const block = await this.#upstream.read(this.#maxRows);
        if (block === null) this.#isEnded = true;
        else this.#ready.push(block);
        this.#wake();
      }
    } catch (error) {
      this.#isEnded = true;
      this.#failure = { error };
      this.#wake();
    } finally {
      this.#reading = undefined;
    }
  }
}
