import { ArgumentError } from "@tfxio/wire";
import { itemsOf } from "../../blocks/block.js";
import { stackElements } from "../../columns/stack.js";
import { componentsOf, disposeElements, isTuple, withComponents } from "../../columns/structure.js";
import { Failure } from "../../failure.js";
import type { Plan, TensorFlow } from "../../plan.js";
import type { AnyReducer } from "../../reducers/reducer.js";
import { reduceElements } from "../../reducers/run-reduction.js";
import { type BatchSize, collectedBatchesPlan } from "./collected-batches.js";

/** Settings of {@link batchByPlan}: the batch size, and the reducers of components. */
export interface BatchBySettings extends Omit<BatchSize, "operator" | "settings"> {
  /** Reducers, keyed by the name of their component, or by its index in a tuple. All other components are stacked. */
  readonly reducers: ReadonlyMap<string, AnyReducer>;
}

interface ComponentBatching extends Pick<BatchBySettings, "reducers"> {
  readonly tf: TensorFlow | undefined;
}

/**
 * Combines every `size` elements into one batch. Reduces each listed component with its own reducer, and stacks all others. If an
 * element or a reducer fails, a `Failure` takes the place of the batch.
 */
export function batchByPlan(upstream: Plan, { reducers, ...size }: BatchBySettings): Plan {
  const { tf } = upstream;
  const batchSize = { ...size, operator: "batchBy", settings: [...reducers.keys()] };
  return collectedBatchesPlan(upstream, batchSize, async (rows, elementIndex, { signal }) => {
    const elements = rows.flatMap(itemsOf);
    try {
      return await batchOf(elements, elementIndex, { reducers, tf });
    } catch (error) {
      disposeElements(elements);
      if (signal.aborted) throw error;
      return new Failure(error);
    }
  });
}

/** Combines elements component by component. Throws the error of a failed element. */
async function batchOf(
  elements: readonly unknown[],
  elementIndex: number,
  { reducers, tf }: ComponentBatching,
): Promise<unknown> {
  const failure = elements.find((element) => element instanceof Failure);
  if (failure !== undefined) throw failure.error;
  const [first] = elements;
  const columns = new Map(componentsOf(first)?.map(([key]) => [key, [] as unknown[]]));
  assertKnown([...reducers.keys()], columns);
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
      batched.push([key, await batchComponent(key, column, elementIndex, { reducers, tf })]);
    }
  } catch (error) {
    disposeElements(batched.map(([, component]) => component));
    throw error;
  }
  return withComponents(first, batched);
}

/** Combines the values of one component. Consumes them if it succeeds. After an error, the caller must dispose them. */
async function batchComponent(
  key: string,
  column: readonly unknown[],
  elementIndex: number,
  { reducers, tf }: ComponentBatching,
): Promise<unknown> {
  const reducer = reducers.get(key);
  if (reducer !== undefined) return reduceElements(column, reducer, "batchBy", elementIndex);
  const stacked = stackElements(column, { operator: "batchBy", elementIndex, tf }, key);
  disposeElements(column);
  return stacked;
}

function assertKnown(names: readonly string[], columns: ReadonlyMap<string, unknown>): void {
  const unknown = names.find((name) => !columns.has(name));
  if (unknown === undefined) return;
  throw new ArgumentError(
    "invalid-argument",
    `batchBy: there is a reducer for "${unknown}", but elements have these components: ${[...columns.keys()].join(", ") || "none"}.`,
    { argument: "reducers" },
  );
}

function unequal(elementIndex: number): ArgumentError {
  return new ArgumentError(
    "invalid-argument",
    `batchBy: element ${elementIndex} must have the same components as the first element of its batch.`,
    { reason: "unequal-elements" },
  );
}
