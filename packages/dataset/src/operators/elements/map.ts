import { skipRows } from "../../checkpoint/skip-rows.js";
import { nodeOn } from "../../checkpoint/plan-node.js";
import { type Block, blockOfItems, isItemRows, itemsOf } from "../../blocks/block.js";
import { Failure } from "../../failure.js";
import type { BlockStream, Pass, Plan, PlanNode } from "../../plan.js";
import { disposeElements, tensorsOf } from "../../columns/structure.js";
import { callUser, isPromise, type UserCall } from "./user-call.js";

/** Returns or resolves to the element that replaces `element`. An exception becomes a `Failure` in the element's place. */
export type ElementFunction = (element: unknown, elementIndex: number, pass: Pass) => unknown;

/** Replaces every element with the result of `f`. Disposes the tensors of an element that are not part of its result. */
export function transformPlan(upstream: Plan, node: PlanNode, f: ElementFunction): Plan {
  return {
    node,
    cardinality: upstream.cardinality,
    tf: upstream.tf,
    reshuffles: upstream.reshuffles,
    moved: undefined,
    open: (pass) => new TransformStream(upstream, pass, f),
  };
}

/** Replaces every element with the result of the caller's function. Calls run one at a time. */
export function mapPlan(upstream: Plan, f: UserCall["f"]): Plan {
  const call: UserCall = { operator: "map", f, tf: upstream.tf };
  return transformPlan(upstream, nodeOn(upstream, "map"), (element, index, pass) =>
    callUser(call, element, index, pass),
  );
}

class TransformStream implements BlockStream {
  readonly #upstream: BlockStream;
  readonly #pass: Pass;
  readonly #f: ElementFunction;
  #elementIndex = 0;

  constructor(upstream: Plan, pass: Pass, f: ElementFunction) {
    this.#upstream = upstream.open(pass);
    this.#pass = pass;
    this.#f = f;
  }

  async read(maxRows: number): Promise<Block | null> {
    const block = await this.#upstream.read(maxRows);
    if (block === null) return null;
    // Rows of columns and of record batches hold no tensors.
    const release = isItemRows(block) ? consume : (_: unknown, output: unknown): unknown => output;
    return replaceElements(block, this.#pass, (input) => this.#transform(input, release));
  }

  /** Skips elements without calling the function, because its results would be dropped. */
  async skip(numRows: number): Promise<number> {
    const numSkipped = await skipRows(this.#upstream, numRows);
    this.#elementIndex += numSkipped;
    return numSkipped;
  }

  async close(): Promise<void> {
    await this.#upstream.close();
  }

  /** Returns the result for `input`, or a `Failure`, or a promise of either. Consumes `input`, even if the function fails. */
  #transform(input: unknown, release: typeof consume): unknown {
    const elementIndex = this.#elementIndex++;
    if (input instanceof Failure) return input;
    try {
      const output = this.#f(input, elementIndex, this.#pass);
      if (!isPromise(output)) return release(input, output);
      return output.then(
        (value) => release(input, value),
        (error: unknown) => {
          const failure = release(input, new Failure(error));
          if (this.#pass.signal.aborted) throw error;
          return failure;
        },
      );
    } catch (error) {
      return release(input, new Failure(error));
    }
  }
}

/**
 * Replaces every element of a block with the result of `f`. If `f` returns a promise, awaits it before the next call. `f` must
 * consume its element, even if it throws. An exception of `f` ends the pass.
 */
export async function replaceElements(
  block: Block,
  pass: Pass,
  f: (element: unknown) => unknown,
): Promise<Block> {
  const inputs = itemsOf(block);
  const outputs: unknown[] = [];
  let row = 0;
  try {
    while (row < inputs.length) {
      const pause = pass.pacer.pauseAtElement(pass.signal);
      if (pause !== undefined) await pause;
      const output = f(inputs[row++]);
      outputs.push(isPromise(output) ? await output : output);
    }
  } catch (error) {
    disposeElements([...outputs, ...inputs.slice(row)]);
    throw error;
  }
  return blockOfItems(outputs);
}

/** Disposes the tensors of `input` that are not part of `output`, and returns `output`. */
export function consume(input: unknown, output: unknown): unknown {
  const tensors = tensorsOf(input);
  if (tensors.length === 0) return output;
  const kept = new Set(tensorsOf(output));
  for (const tensor of tensors) if (!kept.has(tensor)) tensor.dispose();
  return output;
}
