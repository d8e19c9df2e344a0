import { ArgumentError, type Random } from "@tfxio/wire";
import type { Block } from "../blocks/block.js";
import { PassCount } from "../checkpoint/pass-count.js";
import { nodeOn } from "../checkpoint/plan-node.js";
import { skipRows } from "../checkpoint/skip-rows.js";
import { randomOfPass } from "../operators/order/random-of-pass.js";
import type { ShuffleSettings } from "../operators/order/shuffle.js";
import type { BlockStream, Pass, Plan, RowAccess } from "../plan.js";
import { createPermutation } from "./permutation.js";

/**
 * Returns a plan that shuffles all rows of a source with random access, without a row buffer. Pass k draws its order from
 * `Random.of(seed, k)`, or from `Random.of(seed, 0)` without `reshuffleEachIteration`. A pass that resumes from a checkpoint
 * does not read the rows that it skips.
 * @throws {ArgumentError} `invalid-argument` (`no-random-access`) for a plan without random access.
 */
export function shuffleAllPlan(upstream: Plan, settings: Omit<ShuffleSettings, "bufferSize">): Plan {
  const { seed, reshuffleEachIteration } = settings;
  const { rowAccess } = upstream.node;
  if (rowAccess === undefined) {
    throw new ArgumentError(
      "invalid-argument",
      `shuffle: "all" must directly follow fromItems, fromRandomAccess, or an ArrowDataset of a table or of an array of ` +
        `record batches, found ${upstream.node.name}. Call shuffle before other methods, or give a buffer size.`,
      { argument: "bufferSize", reason: "no-random-access" },
    );
  }
  const passCount = new PassCount(seed);
  return {
    node: { ...nodeOn(upstream, "shuffle", ["all", seed ?? null, reshuffleEachIteration]), passCount },
    cardinality: upstream.cardinality,
    tf: upstream.tf,
    reshuffles: upstream.reshuffles || reshuffleEachIteration,
    moved: upstream.moved,
    open: (pass) =>
      new ShuffleAllStream(rowAccess, pass, () => randomOfPass(passCount, pass, reshuffleEachIteration)),
  };
}

class ShuffleAllStream implements BlockStream {
  readonly #access: RowAccess;
  readonly #pass: Pass;
  readonly #createRandom: () => Random;
  #rows: BlockStream | undefined;

  constructor(access: RowAccess, pass: Pass, createRandom: () => Random) {
    this.#access = access;
    this.#pass = pass;
    this.#createRandom = createRandom;
  }

  async read(maxRows: number): Promise<Block | null> {
    const rows = (this.#rows ??= this.#open(await this.#countRows(), 0));
    return rows.read(maxRows);
  }

  /** Skips rows without reading them, if called before the first read. */
  async skip(numRows: number): Promise<number> {
    if (this.#rows !== undefined) return skipRows(this.#rows, numRows);
    const numInAll = await this.#countRows();
    const numSkipped = Math.min(numRows, numInAll);
    this.#rows = this.#open(numInAll, numSkipped);
    return numSkipped;
  }

  async close(): Promise<void> {
    await this.#rows?.close();
  }

  async #countRows(): Promise<number> {
    const { numRows } = this.#access;
    return typeof numRows === "number" ? numRows : numRows(this.#pass.signal);
  }

  #open(numRows: number, first: number): BlockStream {
    const order = createPermutation(numRows, this.#createRandom());
    return this.#access.open(order, first, this.#pass);
  }
}
