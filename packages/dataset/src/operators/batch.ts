import { type Block, blockOfItems, disposeBlock, isColumnRows, itemsOf, joinColumns } from "../block.js";
import { mapCount } from "../cardinality.js";
import { Failure } from "../failure.js";
import type { BlockStream, Pass, Plan, TensorFlow } from "../plan.js";
import { stackElements } from "../stack.js";
import { disposeElements } from "../structure.js";

/** `size` elements stacked into one; the last may be smaller unless `dropRemainder`. */
export function batchPlan(upstream: Plan, size: number, dropRemainder: boolean): Plan {
  return {
    cardinality: mapCount(upstream.cardinality, (n) =>
      dropRemainder ? Math.floor(n / size) : Math.ceil(n / size),
    ),
    tf: upstream.tf,
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
    const parts: Block[] = [];
    let numRows = 0;
    try {
      while (numRows < this.#size) {
        const part = await this.#upstream.read(this.#size - numRows);
        if (part === null) break;
        parts.push(part);
        numRows += part.numRows;
      }
    } catch (error) {
      parts.forEach(disposeBlock);
      throw error;
    }
    if (numRows === 0) return null;
    if (numRows < this.#size && this.#dropRemainder) {
      parts.forEach(disposeBlock);
      return null;
    }
    const elementIndex = this.#elementIndex;
    this.#elementIndex += numRows;
    return blockOfItems([stackBlocks(parts, elementIndex, this.#tf)]);
  }

  async close(): Promise<void> {
    await this.#upstream.close();
  }
}

function stackBlocks(parts: readonly Block[], elementIndex: number, tf: TensorFlow | undefined): unknown {
  if (parts.every(isColumnRows)) {
    try {
      return joinColumns(parts).columns;
    } catch (error) {
      return new Failure(error);
    }
  }
  const rows = parts.flatMap(itemsOf);
  try {
    const failure = rows.find((row) => row instanceof Failure);
    if (failure !== undefined) throw failure.error;
    return stackElements(rows, { elementIndex, tf });
  } catch (error) {
    return new Failure(error);
  } finally {
    disposeElements(rows);
  }
}
