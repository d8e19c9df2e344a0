import { nodeOn } from "../../checkpoint/plan-node.js";
import { ArgumentError } from "@tfxio/wire";
import { type Block, blockOfItems, disposeBlock, itemsOf } from "../../blocks/block.js";
import { sliceColumn } from "../../columns/column-rows.js";
import { stackElements } from "../../columns/stack.js";
import { disposeElements, isHostColumn, mapLeaves } from "../../columns/structure.js";
import { Failure } from "../../failure.js";
import type { BlockStream, Pass, Plan, TensorFlow } from "../../plan.js";
import { unbatchPlan } from "../elements/unbatch.js";
import { stackBlocks } from "./batch.js";
import { collectRows } from "./collect-rows.js";

/** Regroups the rows of batches into batches of the given sizes, in order. Starts over after the last size. */
export function resizedBatchesPlan(upstream: Plan, sizes: readonly number[], dropRemainder: boolean): Plan {
  const rows = unbatchPlan(upstream);
  return {
    ...rows,
    node: nodeOn(upstream, "rebatch", [sizes, dropRemainder]),
    open: (pass) => new ResizedBatchesStream(rows, pass, sizes, dropRemainder),
  };
}

class ResizedBatchesStream implements BlockStream {
  readonly #rows: PeekedStream;
  readonly #tf: TensorFlow | undefined;
  readonly #sizes: readonly number[];
  readonly #dropRemainder: boolean;
  #index = 0;
  #elementIndex = 0;
  /** The empty batch for size 0. Undefined until a batch or a row has shown its structure. */
  #empty: unknown;

  constructor(rows: Plan, pass: Pass, sizes: readonly number[], dropRemainder: boolean) {
    this.#rows = new PeekedStream(rows.open(pass));
    this.#tf = rows.tf;
    this.#sizes = sizes;
    this.#dropRemainder = dropRemainder;
  }

  async read(): Promise<Block | null> {
    const size = this.#sizes[this.#index++ % this.#sizes.length] as number;
    if (size === 0) return this.#readEmpty();
    const rows = await collectRows(this.#rows, size, this.#dropRemainder);
    if (rows === undefined) return null;
    const elementIndex = this.#elementIndex;
    this.#elementIndex += rows.numRows;
    const batch = stackBlocks(rows.parts, { operator: "rebatch", elementIndex, tf: this.#tf });
    if (this.#sizes.includes(0) && !(batch instanceof Failure)) this.#empty = emptyBatchOf(batch);
    return blockOfItems([batch]);
  }

  async close(): Promise<void> {
    await this.#rows.close();
  }

  /**
   * Returns an empty batch with the structure of an earlier batch. If there is none yet, takes the structure from the next row,
   * without consuming that row. If that row failed, returns it instead. Returns null if there is no row either.
   */
  async #readEmpty(): Promise<Block | null> {
    if (this.#empty === undefined) {
      const next = await this.#rows.peek();
      if (next === null) return null;
      const [element] = itemsOf(next);
      if (element instanceof Failure) {
        // A failed row has no known structure, so this read returns the failure, and the next read tries the same size again.
        this.#index--;
        this.#elementIndex++;
        return this.#rows.read(1);
      }
      this.#empty = emptyBatchOf(
        stackElements([element], { operator: "rebatch", elementIndex: this.#elementIndex, tf: this.#tf }),
      );
    }
    return blockOfItems([this.#empty]);
  }
}

/**
 * Returns a batch without rows, with the structure, dtypes and row shapes of `batch`.
 * @throws {ArgumentError} `invalid-argument` if a leaf is not a host column. Tensors of `batch` are then disposed.
 */
function emptyBatchOf(batch: unknown): unknown {
  return mapLeaves(batch, (leaf) => {
    if (isHostColumn(leaf)) return sliceColumn(leaf, 0, 0);
    disposeElements([batch]);
    throw new ArgumentError(
      "invalid-argument",
      "rebatch: with size 0, elements must not contain tensors, null or datasets. Call rebatch before withTensors.",
    );
  });
}

/** A stream with a one-row lookahead. */
class PeekedStream implements BlockStream {
  readonly #stream: BlockStream;
  #peeked: Block | null = null;

  constructor(stream: BlockStream) {
    this.#stream = stream;
  }

  async read(maxRows: number): Promise<Block | null> {
    const peeked = this.#peeked;
    this.#peeked = null;
    return peeked ?? this.#stream.read(maxRows);
  }

  /** Returns the next row without consuming it, or null at the end. */
  async peek(): Promise<Block | null> {
    this.#peeked ??= await this.#stream.read(1);
    return this.#peeked;
  }

  async close(): Promise<void> {
    if (this.#peeked !== null) disposeBlock(this.#peeked);
    await this.#stream.close();
  }
}
