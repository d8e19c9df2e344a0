import { PassCount } from "../../checkpoint/pass-count.js";
import { nodeOn } from "../../checkpoint/plan-node.js";
import type { Random } from "@tfxio/wire";
import { type Block, disposeBlock, isBatchRows, isItemRows } from "../../blocks/block.js";
import { BlockQueue } from "../../blocks/block-queue.js";
import type { BlockStream, Pass, Plan } from "../../plan.js";
import { bytesPerRow } from "../../blocks/row-bytes.js";
import { randomOfPass } from "./random-of-pass.js";
import { RowList } from "./row-list.js";
import { RowSources } from "./row-sources.js";

/**
 * Maximum number of source rows in memory per row of the buffer. Above it, rows are copied, so that sources with few remaining
 * rows can be freed.
 */
const MAX_RETAINED = 4;
/**
 * Maximum numbers of rows and bytes gathered at once, if reading ahead has no visible effect. 1024 rows of columns usually stay
 * in the processor cache until they are batched. For record batches, 4096 rows are faster, because fewer calls per column
 * save more time than the cache does.
 */
const GATHERED_COLUMN_ROWS = 1024;
const GATHERED_BATCH_ROWS = 4096;
const GATHERED_BYTES = 4 << 20;
/** Minimum number of rows to gather at once, even if they exceed `GATHERED_BYTES`. */
const MIN_GATHERED_ROWS = 32;
/** Maximum number of rows returned at once. */
const MAX_ROWS = 1024;

/** Checked options of `Dataset.shuffle`. */
export interface ShuffleSettings {
  readonly bufferSize: number;
  /** Undefined to draw a random seed when the plan is created. */
  readonly seed: number | undefined;
  readonly reshuffleEachIteration: boolean;
}

/**
 * Draws rows uniformly from a buffer that is refilled in order. Pass k draws from `Random.of(seed, k)`. Without
 * `reshuffleEachIteration`, every pass draws from `Random.of(seed, 0)`. A pass takes its number k at its first read. All
 * iterators and repeats share one counter. The order does not depend on how many rows each `read` requests, so a later batch or
 * prefetch does not change it.
 */
export function shufflePlan(upstream: Plan, settings: ShuffleSettings): Plan {
  const { bufferSize, seed, reshuffleEachIteration } = settings;
  const passCount = new PassCount(seed);
  return {
    node: {
      ...nodeOn(upstream, "shuffle", [bufferSize, seed ?? null, reshuffleEachIteration]),
      passCount,
    },
    cardinality: upstream.cardinality,
    tf: upstream.tf,
    reshuffles: upstream.reshuffles || reshuffleEachIteration,
    moved: upstream.moved,
    open: (pass) =>
      new ShuffleStream(upstream, pass, bufferSize, () =>
        randomOfPass(passCount, pass, reshuffleEachIteration),
      ),
  };
}

class ShuffleStream implements BlockStream {
  readonly #upstream: BlockStream;
  readonly #bufferSize: number;
  /** True if drawing more rows than requested has no visible effect. */
  readonly #drawsAhead: boolean;
  readonly #createRandom: () => Random;
  #random: Random | undefined;
  readonly #sources: RowSources = new RowSources();
  readonly #buffer: RowList = new RowList();
  readonly #ready: BlockQueue = new BlockQueue();
  #incoming: Incoming = nothing;
  #gatheredRows: number | undefined;
  #isEnded = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(upstream: Plan, pass: Pass, bufferSize: number, createRandom: () => Random) {
    this.#upstream = upstream.open(pass);
    this.#bufferSize = bufferSize;
    this.#drawsAhead = upstream.moved !== undefined;
    this.#createRandom = createRandom;
  }

  async read(maxRows: number): Promise<Block | null> {
    if (this.#ready.length === 0 && this.#failure === undefined) await this.#gather(maxRows);
    const rows = this.#ready.read(Math.min(maxRows, MAX_ROWS));
    if (rows === null && this.#failure !== undefined) throw this.#failure.error;
    return rows;
  }

  /** Draws the same rows as `read`, but does not copy them. */
  async skip(numRows: number): Promise<number> {
    let numLeft = numRows;
    for (let ready = this.#ready.read(numLeft); ready !== null; ready = this.#ready.read(numLeft)) {
      disposeBlock(ready);
      numLeft -= ready.numRows;
      if (numLeft === 0) return numRows;
    }
    while (numLeft > 0) {
      const drawn = await this.#draw(Math.min(numLeft, MAX_ROWS), "exactly");
      this.#sources.drop(drawn);
      numLeft -= drawn.length;
      this.#compact();
      if (drawn.length > 0) continue;
      if (this.#failure !== undefined) throw this.#failure.error;
      break;
    }
    return numRows - numLeft;
  }

  async close(): Promise<void> {
    this.#ready.dispose();
    this.#takeOver(Number.POSITIVE_INFINITY);
    this.#sources.dispose(this.#buffer);
    await this.#upstream.close();
  }

  async #gather(maxRows: number): Promise<void> {
    const drawn = await this.#draw(maxRows);
    if (drawn.length === 0) return;
    const blocks = this.#sources.take(drawn);
    this.#ready.push(...blocks);
    // Updated after every gather, because later rows may be larger. Items, such as failed rows, have no known size.
    const sized = blocks.findLast((block) => !isItemRows(block));
    if (this.#drawsAhead && sized !== undefined) this.#gatheredRows = gatheredRowsOf(sized);
    this.#compact();
  }

  /**
   * If too many source rows are in memory, copies rows out of sources with few referenced rows, so that these sources can be
   * freed.
   */
  #compact(): void {
    const { number } = this.#incoming;
    if (this.#sources.numRetained > MAX_RETAINED * this.#bufferSize + this.#sources.numRowsOf(number)) {
      this.#sources.compact(this.#buffer, this.#gatheredRows ?? MAX_ROWS, number);
    }
  }

  /**
   * Draws up to `maxRows` rows. With `"at least"`, may draw more if drawing ahead has no visible effect. Gathering many rows
   * together is several times faster, and batches sliced from the gathered rows are views. Reads no more input once at least
   * `maxRows` and at least `bufferSize` rows are drawn.
   */
  async #draw(maxRows: number, howMany: "exactly" | "at least" = "at least"): Promise<RowList> {
    const random = (this.#random ??= this.#createRandom());
    const drawn = new RowList();
    for (;;) {
      const drawsAhead = this.#drawsAhead && howMany === "at least";
      const numWanted = drawsAhead ? (this.#gatheredRows ?? 1) : Math.min(maxRows, MAX_ROWS);
      while (drawn.length < numWanted && this.#isFull()) {
        if (this.#buffer.length === 0) return drawn;
        this.#drawRows(random, drawn, numWanted - drawn.length);
      }
      if (drawn.length >= Math.min(numWanted, Math.max(maxRows, this.#bufferSize))) return drawn;
      try {
        await this.#fill(numWanted - drawn.length);
      } catch (error) {
        // The rows drawn before the error are still returned.
        this.#failure = { error };
        return drawn;
      }
    }
  }

  /** Draws 1 to `maxRows` rows. The buffer must be full, unless the input has ended. */
  #drawRows(random: Random, drawn: RowList, maxRows: number): void {
    const { number, row, end } = this.#incoming;
    const numRefilled = Math.min(maxRows, end - row);
    if (numRefilled > 0) {
      this.#buffer.drawAndRefill(random, drawn, number, row, numRefilled);
      this.#incoming.row += numRefilled;
    } else {
      // Before the end of the input, draws only one row. A row of the next block then takes its place.
      this.#buffer.draw(random, drawn, this.#isEnded ? Math.min(maxRows, this.#buffer.length) : 1);
    }
  }

  /** Moves incoming rows into the buffer. Returns true if the buffer is full or the input has ended. */
  #isFull(): boolean {
    this.#takeOver(this.#bufferSize - this.#buffer.length);
    return this.#isEnded || this.#buffer.length === this.#bufferSize;
  }

  /** Moves up to `maxRows` incoming rows into the buffer. */
  #takeOver(maxRows: number): void {
    const { number, row, end } = this.#incoming;
    const numRows = Math.min(maxRows, end - row);
    if (numRows === 0) return;
    this.#buffer.pushRows(number, row, numRows);
    this.#incoming.row += numRows;
  }

  /**
   * Reads the next block. Requests the rows that the buffer lacks, plus `numDraws - 1` rows, because each draw except the last
   * needs a row to refill the buffer.
   */
  async #fill(numDraws: number): Promise<void> {
    const missing = this.#bufferSize - this.#buffer.length;
    const block = await this.#upstream.read(missing + numDraws - 1);
    this.#isEnded = block === null;
    this.#incoming = block === null ? nothing : incomingOf(block, this.#sources.add(block));
    if (this.#gatheredRows !== undefined || !this.#drawsAhead || block === null) return;
    if (!isItemRows(block)) this.#gatheredRows = gatheredRowsOf(block);
  }
}

/** Rows that have been read but are not yet in the buffer: `row` to `end` (exclusive) of source `number`. */
interface Incoming {
  readonly number: number;
  row: number;
  readonly end: number;
}

const nothing: Incoming = Object.freeze({ number: -1, row: 0, end: 0 });

function incomingOf(block: Block, number: number): Incoming {
  const row = isItemRows(block) ? 0 : block.start;
  return { number, row, end: row + block.numRows };
}

/** Returns the number of rows to gather at once, based on the mean size of the rows in `block`. */
function gatheredRowsOf(block: Block): number {
  const numRows = Math.floor(GATHERED_BYTES / Math.max(1, bytesPerRow(block)));
  const most = isBatchRows(block) ? GATHERED_BATCH_ROWS : GATHERED_COLUMN_ROWS;
  return Math.max(MIN_GATHERED_ROWS, Math.min(most, numRows));
}
