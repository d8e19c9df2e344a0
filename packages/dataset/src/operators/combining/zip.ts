import { type Block, blockOfItems, disposeBlock, itemsOf, sliceBlock } from "../../blocks/block.js";
import type { Cardinality } from "../../cardinality.js";
import { componentsOf, disposeElements, withComponents } from "../../columns/structure.js";
import { Failure } from "../../failure.js";
import type { BlockStream, Pass, Plan } from "../../plan.js";
import { planOf } from "../../plan-of.js";

/**
 * Combines one element of each dataset in `structure` into an element of the same structure. Ends when the shortest dataset ends,
 * and then closes all datasets.
 */
export function zipPlan(structure: unknown): Plan {
  const plans = datasetLeaves(structure);
  return {
    node: { name: "zip", settings: [replaceDatasets(structure, () => 0)], inputs: plans },
    cardinality: () => shortest(plans.map((plan) => plan.cardinality())),
    tf: plans.find(({ tf }) => tf !== undefined)?.tf,
    reshuffles: plans.some(({ reshuffles }) => reshuffles),
    moved: undefined,
    open: (pass) => new ZipStream(structure, plans, pass),
  };
}

class ZipStream implements BlockStream {
  readonly #structure: unknown;
  readonly #components: readonly Component[];
  #isEnded = false;

  constructor(structure: unknown, plans: readonly Plan[], pass: Pass) {
    this.#structure = structure;
    this.#components = plans.map((plan) => ({ stream: plan.open(pass), waiting: undefined }));
  }

  async read(maxRows: number): Promise<Block | null> {
    let numRows = maxRows;
    for (const component of this.#components) {
      if (this.#isEnded) return null;
      component.waiting ??= (await component.stream.read(numRows)) ?? undefined;
      if (component.waiting === undefined) {
        this.#isEnded = true;
        await this.close();
        return null;
      }
      numRows = Math.min(numRows, component.waiting.numRows);
    }
    const columns = this.#components.map((component) => itemsOf(takeRows(component, numRows)));
    return blockOfItems(Array.from({ length: numRows }, (_, row) => joined(this.#structure, columns, row)));
  }

  async close(): Promise<void> {
    for (const component of this.#components) {
      if (component.waiting !== undefined) disposeBlock(component.waiting);
      component.waiting = undefined;
    }
    await Promise.all(this.#components.map(({ stream }) => stream.close()));
  }
}

/** A dataset of the structure, opened for this pass. */
interface Component {
  readonly stream: BlockStream;
  /** Rows that have been read, but not yet joined with rows of the other datasets. */
  waiting: Block | undefined;
}

/** Removes and returns the first `numRows` waiting rows. */
function takeRows(component: Component, numRows: number): Block {
  const block = component.waiting as Block;
  component.waiting = numRows === block.numRows ? undefined : sliceBlock(block, numRows, block.numRows);
  return sliceBlock(block, 0, numRows);
}

/** Joins row `row` of all datasets into one element. If a row failed, returns the first failure and disposes the other rows. */
function joined(structure: unknown, columns: readonly (readonly unknown[])[], row: number): unknown {
  const leaves = columns.map((column) => column[row]);
  const failure = leaves.find((leaf) => leaf instanceof Failure);
  if (failure !== undefined) {
    disposeElements(leaves);
    return failure;
  }
  let next = 0;
  return replaceDatasets(structure, () => leaves[next++]);
}

/** Returns the plans of all datasets in a structure, in the order of its leaves. */
function datasetLeaves(structure: unknown): readonly Plan[] {
  const plans: Plan[] = [];
  replaceDatasets(structure, (dataset) => plans.push(planOf(dataset) as Plan));
  return plans;
}

/** Returns the structure with each dataset replaced by the result of `f`. */
function replaceDatasets(structure: unknown, f: (dataset: unknown) => unknown): unknown {
  const components = componentsOf(structure);
  if (components === undefined) return f(structure);
  return withComponents(
    structure,
    components.map(([key, component]) => [key, replaceDatasets(component, f)] as const),
  );
}

/** Returns the smallest count. If any count is unknown, so is the result, unless one dataset is empty. */
function shortest(counts: readonly Cardinality[]): Cardinality {
  const known = counts.filter((count) => typeof count === "number");
  if (known.includes(0)) return 0;
  if (counts.includes("unknown")) return "unknown";
  return known.length === 0 ? "infinite" : Math.min(...known);
}
