import { skipRows } from "../../checkpoint/skip-rows.js";
import { nodeOn } from "../../checkpoint/plan-node.js";
import type { HostColumn, HostColumns } from "@tfxio/tensor-adapter";
import { type BatchRows, convertBatch, joinBatchRows } from "../../blocks/batch-rows.js";
import {
  type Block,
  blockOfItems,
  isBatchRows,
  isColumnRows,
  itemsOf,
  joinColumns,
} from "../../blocks/block.js";
import { batchedElement } from "../../blocks/column-block.js";
import { batchedCount } from "../../cardinality.js";
import { Failure } from "../../failure.js";
import type { BlockStream, Pass, Plan, TensorFlow } from "../../plan.js";
import { stackElements } from "../../columns/stack.js";
import { disposeElements, tensorsOf } from "../../columns/structure.js";
import { collectRows } from "./collect-rows.js";

/** `size` elements stacked into one; the last may be smaller unless `dropRemainder`. */
export function batchPlan(upstream: Plan, size: number, dropRemainder: boolean): Plan {
  return {
    node: nodeOn(upstream, "batch", [size, dropRemainder]),
    cardinality: () => batchedCount(upstream.cardinality(), size, dropRemainder),
    tf: upstream.tf,
    reshuffles: upstream.reshuffles,
    moved: undefined,
    open: (pass) => new BatchStream(upstream, pass, size, dropRemainder),
  };
}

class BatchStream implements BlockStream {
  readonly #upstream: BlockStream;
  readonly #tf: TensorFlow | undefined;
  readonly #size: number;
  readonly #dropRemainder: boolean;
  #elementIndex = 0;

  constructor(upstream: Plan, pass: Pass, size: number, dropRemainder: boolean) {
    this.#upstream = upstream.open(pass);
    this.#tf = upstream.tf;
    this.#size = size;
    this.#dropRemainder = dropRemainder;
  }

  /** One batch per call, so that no more is read than the caller asked for. */
  async read(): Promise<Block | null> {
    const rows = await collectRows(this.#upstream, this.#size, this.#dropRemainder);
    if (rows === undefined) return null;
    const elementIndex = this.#elementIndex;
    this.#elementIndex += rows.numRows;
    return blockOfItems([stackBlocks(rows.parts, elementIndex, this.#tf)]);
  }

  async skip(numBatches: number): Promise<number> {
    const numRows = await skipRows(this.#upstream, numBatches * this.#size);
    this.#elementIndex += numRows;
    return this.#dropRemainder ? Math.floor(numRows / this.#size) : Math.ceil(numRows / this.#size);
  }

  async close(): Promise<void> {
    await this.#upstream.close();
  }
}

/** The rows of `parts` stacked; a `Failure` when one of them failed or they differ. Disposes the rows. */
export function stackBlocks(
  parts: readonly Block[],
  elementIndex: number,
  tf: TensorFlow | undefined,
): unknown {
  try {
    return columnsOf(parts) ?? stackItems(parts, elementIndex, tf);
  } catch (error) {
    return new Failure(error);
  }
}

/** Parts in columns joined column by column; undefined when some are items. */
function columnsOf(parts: readonly Block[]): HostColumn | HostColumns | undefined {
  if (parts.every(isColumnRows)) return batchedElement(joinColumns(parts));
  if (!parts.every(isBatchRows)) return undefined;
  return convertBatch(joinBatchRows(parts), (parts[0] as BatchRows).batch.conversion).columns;
}

function stackItems(parts: readonly Block[], elementIndex: number, tf: TensorFlow | undefined): unknown {
  const [first] = parts;
  const rows = parts.length === 1 ? itemsOf(first as Block) : parts.flatMap(itemsOf);
  let holdTensors = true;
  try {
    const failure = rows.find((row) => row instanceof Failure);
    if (failure !== undefined) throw failure.error;
    const batch = stackElements(rows, { elementIndex, tf });
    // Leaves that were stacked on the host were no tensors.
    holdTensors = tensorsOf(batch).length > 0;
    return batch;
  } finally {
    if (holdTensors) disposeElements(rows);
  }
}
