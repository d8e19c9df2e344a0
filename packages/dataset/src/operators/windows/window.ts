import { nodeOn } from "../../checkpoint/plan-node.js";
import { type Block, blockOfItems, disposeBlock } from "../../blocks/block.js";
import { mapCount } from "../../cardinality.js";
import { Failure } from "../../failure.js";
import type { BlockStream, Pass, Plan } from "../../plan.js";
import { BufferedRows, failureIn } from "./buffered-rows.js";

/** Size and position of windows. All numbers are positive integers. */
export interface WindowSettings {
  /** Number of rows in a full window. */
  readonly size: number;
  /** Distance between the starts of two consecutive windows, in rows of the input. */
  readonly shift: number;
  /** Distance between two consecutive rows of a window, in rows of the input. */
  readonly stride: number;
  /** True to drop the windows at the end that have fewer than `size` rows. */
  readonly dropRemainder: boolean;
}

/** Defines how windows become elements. */
export interface WindowForm {
  /** Converts the rows of a window to an element. Borrows the rows, which the operator disposes later. */
  toElement(this: void, parts: readonly Block[], upstream: Plan): unknown;
  /** True if rows stay in their record batches for as long as possible. */
  readonly keepsRecordBatches: boolean;
}

/** Returns the number of input rows from the first to the last row of a window, inclusive. */
export function spanOf({ size, stride }: Pick<WindowSettings, "size" | "stride">): number {
  return (size - 1) * stride + 1;
}

/** Groups the rows into windows, each of which is one element. A window with a failed row is a `Failure`. */
export function windowPlan(upstream: Plan, settings: WindowSettings, form: WindowForm): Plan {
  const { shift, dropRemainder } = settings;
  const span = spanOf(settings);
  return {
    ...upstream,
    node: nodeOn(upstream, "window", [settings.size, shift, settings.stride, dropRemainder]),
    cardinality: () =>
      mapCount(upstream.cardinality(), (n) => {
        if (!dropRemainder) return Math.ceil(n / shift);
        return n < span ? 0 : Math.floor((n - span) / shift) + 1;
      }),
    moved: undefined,
    open: (pass) => new WindowStream(upstream, pass, settings, form),
  };
}

/** Reads no further than the end of the requested window, and keeps only rows that later windows may need. */
class WindowStream implements BlockStream {
  readonly #plan: Plan;
  readonly #upstream: BlockStream;
  readonly #pass: Pass;
  readonly #settings: WindowSettings;
  readonly #form: WindowForm;
  readonly #rows: BufferedRows = new BufferedRows();
  /** Number of rows to skip before the next window begins. */
  #numToSkip = 0;
  #isInputEnded = false;

  constructor(upstream: Plan, pass: Pass, settings: WindowSettings, form: WindowForm) {
    this.#plan = upstream;
    const keeping = { ...pass, keepsRecordBatches: "if-possible" as const };
    this.#upstream = upstream.open(form.keepsRecordBatches ? keeping : pass);
    this.#pass = pass;
    this.#settings = settings;
    this.#form = form;
  }

  async read(): Promise<Block | null> {
    const { shift, stride, dropRemainder } = this.#settings;
    const span = spanOf(this.#settings);
    await this.#skip();
    while (!this.#isInputEnded && this.#rows.numRows < span) await this.#readMore(span - this.#rows.numRows);
    const numRows = Math.min(span, this.#rows.numRows);
    if (numRows === 0 || (numRows < span && dropRemainder)) return null;
    const parts = this.#rows.select(numRows, stride);
    const element = failureIn(parts) ?? this.#elementOf(parts);
    const numPassed = Math.min(shift, this.#rows.numRows);
    this.#rows.drop(numPassed);
    this.#numToSkip = shift - numPassed;
    return blockOfItems([element]);
  }

  async close(): Promise<void> {
    this.#rows.drop(this.#rows.numRows);
    await this.#upstream.close();
  }

  /** Returns the element of a window, or a `Failure` if its rows cannot be converted. */
  #elementOf(parts: readonly Block[]): unknown {
    try {
      return this.#form.toElement(parts, this.#plan);
    } catch (error) {
      return new Failure(error);
    }
  }

  /** Skips the rows between two windows, including failed ones. */
  async #skip(): Promise<void> {
    while (this.#numToSkip > 0 && !this.#isInputEnded) {
      const skipped = await this.#next(this.#numToSkip);
      if (skipped === null) return;
      disposeBlock(skipped);
      this.#numToSkip -= skipped.numRows;
    }
  }

  async #readMore(maxRows: number): Promise<void> {
    const block = await this.#next(maxRows);
    if (block !== null) this.#rows.push(block);
  }

  async #next(maxRows: number): Promise<Block | null> {
    const pause = this.#pass.pacer.pause(this.#pass.signal);
    if (pause !== undefined) await pause;
    const block = await this.#upstream.read(maxRows);
    this.#isInputEnded = block === null;
    return block;
  }
}
