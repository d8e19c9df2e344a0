import type { PassCount } from "../../checkpoint/pass-count.js";
import { ArgumentError, Random } from "@tfxio/wire";
import { describeValue } from "@tfxio/wire/checks";
import { type Block, blockOfItems, disposeBlock, itemsOf } from "../../blocks/block.js";
import { Failure } from "../../failure.js";
import type { BlockStream, Pass, Plan, PlanNode } from "../../plan.js";

/** Chooses the dataset from which each element of one pass is taken. */
export interface Chooser {
  /**
   * Returns the index of the dataset for the next element, a `Failure` that takes the place of that element, or null at the end
   * of the choices.
   * @param isEmpty True for each dataset that has ended, by index.
   */
  next(isEmpty: readonly boolean[]): Promise<number | Failure | null>;
  close(): Promise<void>;
}

/** Settings for choosing between several datasets. */
export interface ChooseSettings {
  /** True to end as soon as a chosen dataset has ended. False to ignore a choice if the chosen dataset has ended. */
  readonly stopOnEmpty: boolean;
  /** Creates the chooser of a pass. */
  createChooser(this: void, pass: Pass): Chooser;
}

/** Describes the choices, for checkpoints. */
export type ChooseNode = Pick<PlanNode, "name" | "settings" | "passCount"> & {
  /** The plan of the dataset that contains the choices. Undefined for random choices. */
  readonly choices?: Plan | undefined;
};

/** Takes each element from the dataset that a chooser selects. */
export function choosePlan(
  plans: readonly Plan[],
  settings: ChooseSettings,
  { choices, ...node }: ChooseNode,
): Plan {
  const inputs = choices === undefined ? plans : [...plans, choices];
  return {
    node: { ...node, inputs, isRegular: false },
    cardinality: () => "unknown",
    tf: plans.find(({ tf }) => tf !== undefined)?.tf,
    // Random choices differ from pass to pass.
    reshuffles: choices === undefined || inputs.some(({ reshuffles }) => reshuffles),
    moved: undefined,
    open: (pass) => new ChooseStream(plans, settings, pass),
  };
}

class ChooseStream implements BlockStream {
  readonly #streams: readonly BlockStream[];
  readonly #isEmpty: boolean[];
  readonly #chooser: Chooser;
  readonly #pass: Pass;
  readonly #stopOnEmpty: boolean;

  constructor(plans: readonly Plan[], { stopOnEmpty, createChooser }: ChooseSettings, pass: Pass) {
    this.#streams = plans.map((plan) => plan.open(pass));
    this.#isEmpty = plans.map(() => false);
    this.#chooser = createChooser(pass);
    this.#pass = pass;
    this.#stopOnEmpty = stopOnEmpty;
  }

  async read(): Promise<Block | null> {
    while (this.#isEmpty.includes(false)) {
      const pause = this.#pass.pacer.pause(this.#pass.signal);
      if (pause !== undefined) await pause;
      const choice = await this.#chooser.next(this.#isEmpty);
      if (choice === null) return null;
      if (choice instanceof Failure) return blockOfItems([choice]);
      if (this.#isEmpty[choice] === true) continue;
      const block = (await this.#streams[choice]?.read(1)) ?? null;
      if (block !== null) return block;
      if (this.#stopOnEmpty) return null;
      this.#isEmpty[choice] = true;
    }
    return null;
  }

  async close(): Promise<void> {
    await Promise.all([this.#chooser, ...this.#streams].map((part) => part.close()));
  }
}

/**
 * Returns a function that creates choosers. A chooser reads its choices from a dataset. A choice must be an integer from 0 to
 * `numDatasets - 1`, as a number or bigint. Any other value becomes a `Failure`.
 */
export function choicesOf(plan: Plan, numDatasets: number): ChooseSettings["createChooser"] {
  return (pass) => {
    const stream = plan.open(pass);
    return {
      async next() {
        const block = await stream.read(1);
        if (block === null) return null;
        const [choice] = itemsOf(block);
        if (choice instanceof Failure) return choice;
        const index = typeof choice === "bigint" ? Number(choice) : choice;
        if (Number.isInteger(index) && (index as number) >= 0 && (index as number) < numDatasets) {
          return index as number;
        }
        disposeBlock(block);
        return new Failure(
          new ArgumentError(
            "invalid-argument",
            `chooseFromDatasets: a choice must be the index of one of the ${numDatasets} datasets, found ${describeValue(choice)}.`,
          ),
        );
      },
      close: () => stream.close(),
    };
  };
}

/**
 * Returns a function that creates choosers. A chooser draws from the datasets that have not ended, with the relative `weights`.
 * Pass k, counted from 0, draws from `Random.of(seed, k)`.
 */
export function randomChoices(
  weights: readonly number[],
  passCount: PassCount,
): ChooseSettings["createChooser"] {
  return ({ log }) => {
    let random: Random | undefined;
    return {
      async next(isEmpty) {
        random ??= Random.of(passCount.seed, log.take(passCount, "sampleFromDatasets"));
        const left = weights.map((weight, index) => (isEmpty[index] === true ? 0 : weight));
        const total = left.reduce((sum, weight) => sum + weight, 0);
        if (total === 0) return null;
        let at = (random.below(2 ** 32) / 2 ** 32) * total;
        const chosen = left.findIndex((weight) => (at -= weight) < 0);
        return chosen < 0 ? left.findLastIndex((weight) => weight > 0) : chosen;
      },
      close: async () => undefined,
    };
  };
}
