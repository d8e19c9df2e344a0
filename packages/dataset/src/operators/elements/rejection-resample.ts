import { ArgumentError, Random } from "@tfxio/wire";
import { describeValue } from "@tfxio/wire/checks";
import { type Block, blockOfItems, gatherRows, isItemRows, itemsOf } from "../../blocks/block.js";
import { PassCount } from "../../checkpoint/pass-count.js";
import { nodeOn } from "../../checkpoint/plan-node.js";
import { disposeElements } from "../../columns/structure.js";
import { Failure } from "../../failure.js";
import type { BlockStream, Pass, Plan } from "../../plan.js";
import { callForElement, isPromise, type UserCall } from "./user-call.js";

/**
 * Settings of {@link rejectionResamplePlan}. Item k of a list is the share of class k. Shares are at least 0, and only their
 * proportions matter.
 */
export interface ResampleSettings {
  /** Share of each class in the output. */
  readonly target: readonly number[];
  /** Share of each class in the input. Undefined to estimate the shares from the elements read so far. */
  readonly initial: readonly number[] | undefined;
  /** Undefined to draw a random seed when the plan is created. */
  readonly seed: number | undefined;
}

/**
 * Drops elements at random, so that the classes of the remaining elements have the target shares. Pass k, counted from 0, draws
 * from `Random.of(seed, k)`.
 */
export function rejectionResamplePlan(
  upstream: Plan,
  classOf: UserCall["f"],
  settings: ResampleSettings,
): Plan {
  const { target, initial, seed } = settings;
  const call: UserCall = { operator: "rejectionResample", f: classOf, tf: upstream.tf };
  const passCount = new PassCount(seed);
  return {
    ...upstream,
    node: { ...nodeOn(upstream, "rejectionResample", [target, initial ?? null, seed ?? null]), passCount },
    cardinality: () => (upstream.cardinality() === "infinite" ? "infinite" : "unknown"),
    reshuffles: true,
    moved: undefined,
    open: (pass) => new ResampleStream(upstream, pass, call, settings, passCount),
  };
}

class ResampleStream implements BlockStream {
  readonly #upstream: BlockStream;
  readonly #pass: Pass;
  readonly #call: UserCall;
  readonly #target: readonly number[];
  /** The given share of each class or, if the shares are estimated, 1 plus the number of its elements so far. */
  readonly #initial: number[];
  readonly #isEstimated: boolean;
  readonly #passCount: PassCount;
  #random: Random | undefined;
  #elementIndex = 0;

  constructor(upstream: Plan, pass: Pass, call: UserCall, settings: ResampleSettings, passCount: PassCount) {
    const { target, initial } = settings;
    this.#upstream = upstream.open(pass);
    this.#pass = pass;
    this.#call = call;
    this.#target = target;
    this.#isEstimated = initial === undefined;
    this.#initial = [...(initial ?? target.map(() => 1))];
    this.#passCount = passCount;
  }

  async read(maxRows: number): Promise<Block | null> {
    this.#random ??= Random.of(
      this.#passCount.seed,
      this.#pass.log.take(this.#passCount, "rejectionResample"),
    );
    for (;;) {
      const block = await this.#upstream.read(maxRows);
      if (block === null) return null;
      const kept = await this.#sample(block, this.#random);
      if (kept !== undefined) return kept;
    }
  }

  async close(): Promise<void> {
    await this.#upstream.close();
  }

  /** Returns the kept rows of a block, and disposes all others. Returns undefined if none is kept. */
  async #sample(block: Block, random: Random): Promise<Block | undefined> {
    const rows = itemsOf(block);
    const kept: number[] = [];
    const outcomes: unknown[] = [];
    let row = 0;
    try {
      for (; row < rows.length; row++) {
        const pause = this.#pass.pacer.pauseAtElement(this.#pass.signal);
        if (pause !== undefined) await pause;
        const called = callForElement(this.#call, rows[row], this.#elementIndex++, this.#pass);
        const outcome = this.#accepts(isPromise(called) ? await called : called, random);
        const isFailure = outcome instanceof Failure;
        if (outcome !== true) disposeElements([rows[row]]);
        if (outcome === false) continue;
        kept.push(row);
        outcomes.push(isFailure ? outcome : rows[row]);
      }
    } catch (error) {
      disposeElements([...outcomes, ...rows.slice(row)]);
      throw error;
    }
    if (kept.length === 0) return undefined;
    if (isItemRows(block) || outcomes.some((outcome) => outcome instanceof Failure))
      return blockOfItems(outcomes);
    return gatherRows([block], new Uint32Array(kept.length), Uint32Array.from(kept));
  }

  /**
   * Decides at random whether to keep an element of class `found`. If `found` is a `Failure`, returns it. If `found` is not the
   * number of a class, returns a new `Failure`.
   */
  #accepts(found: unknown, random: Random): boolean | Failure {
    if (found instanceof Failure) return found;
    const index = typeof found === "bigint" ? Number(found) : found;
    if (!Number.isInteger(index) || (index as number) < 0 || (index as number) >= this.#target.length) {
      return new Failure(
        new ArgumentError(
          "invalid-argument",
          `rejectionResample: the class of element ${this.#elementIndex - 1} is ${describeValue(found)}, but must be the index of one of the ${this.#target.length} shares in target.`,
        ),
      );
    }
    const own = index as number;
    if (this.#isEstimated) (this.#initial[own] as number)++;
    // Each class has a ratio of target share to input share. An element is kept with a probability proportional to the ratio of
    // its class. The probability is 1 for the class with the largest ratio.
    const total = this.#initial.reduce((sum, share) => sum + share, 0);
    const ratios = this.#target.map(
      (share, at) => (share * total) / Math.max(this.#initial[at] as number, Number.MIN_VALUE),
    );
    const most = Math.max(...ratios.filter((_, at) => (this.#initial[at] as number) > 0));
    return random.below(2 ** 32) / 2 ** 32 < (ratios[own] as number) / most;
  }
}
