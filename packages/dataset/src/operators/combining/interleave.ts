import { nodeOn } from "../../checkpoint/plan-node.js";
import { type Block, blockOfItems, itemsOf } from "../../blocks/block.js";
import { Failure } from "../../failure.js";
import type { BlockStream, Pass, Plan } from "../../plan.js";
import type { UserCall } from "../elements/user-call.js";
import { type Inner, InnerOpener } from "./flat-map.js";

/** Settings of {@link interleavePlan}. */
export interface InterleaveSettings {
  /** Maximum number of datasets that are open and take turns. */
  readonly cycle: number;
  /** Maximum number of consecutive elements in a turn. */
  readonly block: number;
}

/**
 * Replaces every element with the elements of the dataset that the caller's function returns. Opens up to `cycle` of these
 * datasets at a time, and takes `block` elements from each in turn.
 */
export function interleavePlan(upstream: Plan, f: UserCall["f"], settings: InterleaveSettings): Plan {
  const call: UserCall = { operator: "interleave", f, tf: upstream.tf };
  return {
    ...upstream,
    node: nodeOn(upstream, "interleave", [settings.cycle, settings.block]),
    cardinality: () => "unknown",
    moved: undefined,
    open: (pass) => new InterleaveStream(upstream, pass, call, settings),
  };
}

/**
 * Has one slot per dataset of the cycle, and visits the slots in turn. A slot whose dataset has ended is refilled on its next
 * turn.
 */
class InterleaveStream implements BlockStream {
  readonly #upstream: BlockStream;
  readonly #pass: Pass;
  readonly #opener: InnerOpener;
  readonly #slots: (Inner | undefined)[];
  readonly #block: number;
  #slot = 0;
  #numTaken = 0;
  #isInputEnded = false;

  constructor(upstream: Plan, pass: Pass, call: UserCall, { cycle, block }: InterleaveSettings) {
    this.#upstream = upstream.open(pass);
    this.#pass = pass;
    this.#opener = new InnerOpener(call, pass);
    this.#slots = Array.from({ length: cycle }, () => undefined);
    this.#block = block;
  }

  async read(maxRows: number): Promise<Block | null> {
    while (!this.#isInputEnded || this.#slots.some((inner) => inner !== undefined)) {
      const pause = this.#pass.pacer.pause(this.#pass.signal);
      if (pause !== undefined) await pause;
      const inner = this.#slots[this.#slot];
      if (inner === undefined) {
        const failure = await this.#fill();
        if (failure !== undefined) return blockOfItems([failure]);
        continue;
      }
      const rows = await inner.stream.read(Math.min(maxRows, this.#block - this.#numTaken));
      if (rows === null) {
        this.#slots[this.#slot] = undefined;
        this.#visitNext();
        await inner.close();
        continue;
      }
      this.#numTaken += rows.numRows;
      if (this.#numTaken === this.#block) this.#visitNext();
      return rows;
    }
    return null;
  }

  async close(): Promise<void> {
    const open = this.#slots.splice(0).filter((inner) => inner !== undefined);
    await Promise.all(open.map((inner) => inner.close()));
    await this.#upstream.close();
  }

  /**
   * Puts the dataset of the next element into the current slot. If that fails, returns a `Failure`, which takes the place of the
   * dataset's elements.
   */
  async #fill(): Promise<Failure | undefined> {
    const block = this.#isInputEnded ? null : await this.#upstream.read(1);
    if (block === null) {
      this.#isInputEnded = true;
      this.#visitNext();
      return undefined;
    }
    const opened = await this.#opener.open(itemsOf(block)[0]);
    if (opened instanceof Failure) return opened;
    this.#slots[this.#slot] = opened;
    return undefined;
  }

  #visitNext(): void {
    this.#slot = (this.#slot + 1) % this.#slots.length;
    this.#numTaken = 0;
  }
}
