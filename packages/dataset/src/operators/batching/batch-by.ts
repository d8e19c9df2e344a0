import { nodeOn } from "../../checkpoint/plan-node.js";
import { ArgumentError } from "@tfxio/wire";
import { type Block, blockOfItems, itemsOf } from "../../blocks/block.js";
import { batchedCount } from "../../cardinality.js";
import { stackElements } from "../../columns/stack.js";
import { componentsOf, disposeElements, isTuple, withComponents } from "../../columns/structure.js";
import { Failure } from "../../failure.js";
import type { BlockStream, Pass, Plan, TensorFlow } from "../../plan.js";
import type { AnyReducer } from "../../reducers/reducer.js";
import { reduceElements } from "../../reducers/run-reduction.js";
import { collectRows } from "./collect-rows.js";

/** How components become batches. */
export interface BatchBySettings {
  readonly size: number;
  readonly dropRemainder: boolean;
  /** Reducers by component; the other components are stacked. */
  readonly reducers: ReadonlyMap<string, AnyReducer>;
}

/** `size` elements at a time made one, each component by a reducer of its own. */
export function batchByPlan(upstream: Plan, settings: BatchBySettings): Plan {
  const { size, dropRemainder } = settings;
  return {
    ...upstream,
    node: nodeOn(upstream, "batchBy", [size, dropRemainder, ...settings.reducers.keys()]),
    cardinality: () => batchedCount(upstream.cardinality(), size, dropRemainder),
    moved: undefined,
    open: (pass) => new BatchByStream(upstream, pass, settings),
  };
}

class BatchByStream implements BlockStream {
  readonly #upstream: BlockStream;
  readonly #tf: TensorFlow | undefined;
  readonly #pass: Pass;
  readonly #settings: BatchBySettings;
  #elementIndex = 0;

  constructor(upstream: Plan, pass: Pass, settings: BatchBySettings) {
    this.#upstream = upstream.open(pass);
    this.#tf = upstream.tf;
    this.#pass = pass;
    this.#settings = settings;
  }

  async read(): Promise<Block | null> {
    const { size, dropRemainder } = this.#settings;
    const rows = await collectRows(this.#upstream, size, dropRemainder);
    if (rows === undefined) return null;
    const elementIndex = this.#elementIndex;
    this.#elementIndex += rows.numRows;
    const elements = rows.parts.flatMap(itemsOf);
    try {
      return blockOfItems([await this.#batch(elements, elementIndex)]);
    } catch (error) {
      disposeElements(elements);
      if (this.#pass.signal.aborted) throw error;
      return blockOfItems([new Failure(error)]);
    }
  }

  async close(): Promise<void> {
    await this.#upstream.close();
  }

  async #batch(elements: readonly unknown[], elementIndex: number): Promise<unknown> {
    const failure = elements.find((element) => element instanceof Failure);
    if (failure !== undefined) throw failure.error;
    const [first] = elements;
    const columns = new Map(componentsOf(first)?.map(([key]) => [key, [] as unknown[]]));
    assertKnown([...this.#settings.reducers.keys()], columns);
    elements.forEach((element, index) => {
      const components = new Map(componentsOf(element));
      if (components.size !== columns.size || isTuple(element) !== isTuple(first))
        throw unequal(elementIndex + index);
      for (const [key, column] of columns) {
        if (!components.has(key)) throw unequal(elementIndex + index);
        column.push(components.get(key));
      }
    });
    const batched: (readonly [string, unknown])[] = [];
    try {
      for (const [key, column] of columns) {
        batched.push([key, await this.#batchComponent(key, column, elementIndex)]);
      }
    } catch (error) {
      disposeElements(batched.map(([, component]) => component));
      throw error;
    }
    return withComponents(first, batched);
  }

  async #batchComponent(key: string, column: readonly unknown[], elementIndex: number): Promise<unknown> {
    const reducer = this.#settings.reducers.get(key);
    if (reducer !== undefined) return reduceElements(column, reducer, "batchBy", elementIndex);
    const stacked = stackElements(column, { elementIndex, tf: this.#tf }, key);
    disposeElements(column);
    return stacked;
  }
}

function assertKnown(names: readonly string[], columns: ReadonlyMap<string, unknown>): void {
  const unknown = names.find((name) => !columns.has(name));
  if (unknown === undefined) return;
  throw new ArgumentError(
    "invalid-argument",
    `batchBy: there is no component "${unknown}"; elements have ${[...columns.keys()].join(", ") || "no components"}`,
    { argument: "reducers" },
  );
}

function unequal(elementIndex: number): ArgumentError {
  return new ArgumentError(
    "invalid-argument",
    `batchBy: element ${elementIndex} has other components than the elements before`,
    { reason: "unequal-elements" },
  );
}
